/**
 * Loaded before a program, in each of its threads: forbids io_uring to the one that
 * FORBIDDEN_THREAD names.
 */
import { threadId } from 'node:worker_threads'
import { forbidUring } from './uring-filter.ts'

if (threadId === Number(process.env.FORBIDDEN_THREAD)) forbidUring()

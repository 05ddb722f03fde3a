#!/usr/bin/env node
import { launch } from './launch.js'

await launch('siege', 'siege/main.js')

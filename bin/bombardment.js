#!/usr/bin/env node
import { launch } from './launch.js'

await launch('bombardment', 'siege/companions/bombardment.js')

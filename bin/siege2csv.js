#!/usr/bin/env node
import { launch } from './launch.js'

await launch('siege2csv', 'siege/companions/siege2csv.js')

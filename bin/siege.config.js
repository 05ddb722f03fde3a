#!/usr/bin/env node
import { launch } from './launch.js'

await launch('siege.config', 'siege/companions/siege-config.js')

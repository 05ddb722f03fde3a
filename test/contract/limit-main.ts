/** A process of its own that opens more connections than it may, and says what it was told. */
import type { Ending, Reactor } from '../../src/engine/reactor.ts'
import { Stage } from './stage.ts'

export interface LimitReport {
  readonly connectedCount: number
  readonly endings: readonly Ending[]
  /** After all were closed. */
  readonly reconnectedCount: number
}

interface LimitTask {
  readonly module: string
  readonly address: string
  readonly port: number
  readonly slotCount: number
}

const { module, address, port, slotCount }: LimitTask = JSON.parse(process.argv[2]!)
const { createReactor } = (await import(module)) as { createReactor: () => Reactor }
const stage = new Stage(createReactor())
const endpoint = { address, family: 4, port } as const
const endings: Ending[] = []
let connectedCount = 0
let reconnectedCount = 0

function settled(): void {
  if (connectedCount + endings.length < slotCount) return
  for (let slot = 0; slot < slotCount; slot++) stage.close(slot)
  stage.after(100, () => {
    stage.connect(0, endpoint, {
      connected() {
        reconnectedCount++
        stage.stop()
      },
      ended: () => stage.stop(),
    })
  })
}

for (let slot = 0; slot < slotCount; slot++) {
  stage.connect(slot, endpoint, {
    connected() {
      connectedCount++
      settled()
    },
    ended(_slot, ending) {
      endings.push(ending)
      settled()
    },
  })
}
await stage.reactor.run()
if (stage.breaches.length > 0) throw new Error(stage.breaches.join('\n'))
const report: LimitReport = { connectedCount, endings, reconnectedCount }
process.stdout.write(JSON.stringify(report))

/** Virtual time: things that happen later, in order of time and then of their being planned. */

interface PlannedEvent {
  readonly dueNs: number
  readonly order: number
  readonly happen: () => void
}

export class EventQueue {
  nowNs = 0
  #order = 0
  readonly #heap: PlannedEvent[] = []

  get isEmpty(): boolean {
    return this.#heap.length === 0
  }

  /** Rounded up to whole ns: nothing ever happens before its time. */
  plan(delayNs: number, happen: () => void): void {
    const event = {
      dueNs: this.nowNs + Math.max(0, Math.ceil(delayNs)),
      order: this.#order++,
      happen,
    }
    const heap = this.#heap
    let index = heap.length
    heap.push(event)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (isBefore(heap[parent]!, event)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = event
  }

  /** Lets the next event happen at its time. */
  step(): void {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined) return
    if (heap.length > 0) {
      let index = 0
      for (;;) {
        let child = index * 2 + 1
        if (child >= heap.length) break
        if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
        if (isBefore(last, heap[child]!)) break
        heap[index] = heap[child]!
        index = child
      }
      heap[index] = last
    }
    this.nowNs = Math.max(this.nowNs, first.dueNs)
    first.happen()
  }
}

function isBefore(a: PlannedEvent, b: PlannedEvent): boolean {
  return a.dueNs < b.dueNs || (a.dueNs === b.dueNs && a.order < b.order)
}

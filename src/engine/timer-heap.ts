/**
 * When the next waiting user is due: a binary heap of (due time, number) in typed arrays.
 *
 * The same number may wait more than once; the heap does not mind. Nothing is allocated once the
 * arrays have grown to the number of users.
 */
export class TimerHeap {
  #dueNs = new Float64Array(64)
  #values = new Int32Array(64)
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Due time of the earliest entry; Infinity when nothing waits. */
  get nextDueNs(): number {
    return this.#count === 0 ? Number.POSITIVE_INFINITY : this.#dueNs[0]!
  }

  push(dueNs: number, value: number): void {
    if (this.#count === this.#values.length) this.#grow()
    let index = this.#count++
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (this.#dueNs[parent]! <= dueNs) break
      this.#copy(parent, index)
      index = parent
    }
    this.#dueNs[index] = dueNs
    this.#values[index] = value
  }

  /** Takes the earliest entry's value away; -1 when nothing waits. */
  pop(): number {
    if (this.#count === 0) return -1
    const value = this.#values[0]!
    const lastDueNs = this.#dueNs[--this.#count]!
    const lastValue = this.#values[this.#count]!
    let index = 0
    for (;;) {
      let child = index * 2 + 1
      if (child >= this.#count) break
      if (child + 1 < this.#count && this.#dueNs[child + 1]! < this.#dueNs[child]!) child++
      if (this.#dueNs[child]! >= lastDueNs) break
      this.#copy(child, index)
      index = child
    }
    this.#dueNs[index] = lastDueNs
    this.#values[index] = lastValue
    return value
  }

  #copy(from: number, to: number): void {
    this.#dueNs[to] = this.#dueNs[from]!
    this.#values[to] = this.#values[from]!
  }

  #grow(): void {
    const dueNs = new Float64Array(this.#dueNs.length * 2)
    const values = new Int32Array(this.#values.length * 2)
    dueNs.set(this.#dueNs)
    values.set(this.#values)
    this.#dueNs = dueNs
    this.#values = values
  }
}

/**
 * What every helper here needs of a test: a way to be cleaned up after, whatever happened in it.
 *
 * A `TestContext` is one, and so is `{ after }` from `node:test` for what lives as long as a file.
 */
export interface Scope {
  after(cleanUp: () => unknown): void
}

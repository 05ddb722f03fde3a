/**
 * The file that requests are appended to, in the order in which they were made.
 *
 * A request takes its place when it arrives, and its line is written when it has been sent to the
 * server and so have all before it. Bodies that do not fit into a line get files of their own in a
 * folder beside the list. Nobody has to catch what goes wrong with these files: it is told once.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { EnvironmentError } from '../base/errors.ts'
import { systemReason } from '../base/system-reason.ts'
import { bytesFromLatin1, latin1FromBytes, textFromLatin1 } from '../plan/latin1.ts'
import { BodyTape } from './body-tape.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { isInline, urlLine } from './url-line-writer.ts'

export interface NotebookSettings {
  /** The list; body files are named from it, and so are found from where it was given. */
  readonly path: string
  /** A request that is in the list already gets no second line. */
  readonly isUnique: boolean
}

export interface NotebookEvents {
  /** A line was written; for display. */
  recorded(line: string): void
  /** Nothing more can be written. */
  failed(error: EnvironmentError): void
}

/** One request's place in the order. Exactly one of both is called; further calls do nothing. */
export interface Place {
  keep(request: RecordedRequest): void
  drop(): void
}

export interface NotebookCounts {
  readonly recordedCount: number
  readonly duplicateCount: number
  /** Requests that no line can say, such as those with methods siege does not send. */
  readonly unsayableCount: number
}

interface OpenPlace extends Place {
  outcome: RecordedRequest | 'dropped' | null
}

export class Notebook {
  readonly #settings: NotebookSettings
  readonly #events: NotebookEvents
  readonly #fd: number
  readonly #known: Set<string> = new Set()
  readonly #places: OpenPlace[] = []
  #fileNumber = 0
  #isFailed = false
  #counts = { recordedCount: 0, duplicateCount: 0, unsayableCount: 0 }

  /** @throws {EnvironmentError} when the list cannot be written. */
  constructor(settings: NotebookSettings, events: NotebookEvents) {
    this.#settings = settings
    this.#events = events
    try {
      this.#fd = openSync(settings.path, 'a+')
      // What was appended to a line without an end would become a part of it.
      const isThere = fstatSync(this.#fd).isFile() && fstatSync(this.#fd).size > 0
      const lines = isThere ? latin1FromBytes(readFileSync(settings.path)) : ''
      if (lines !== '' && !lines.endsWith('\n')) writeSync(this.#fd, '\n')
      if (settings.isUnique) for (const line of lines.split(/\r?\n/)) this.#known.add(line)
    } catch (error) {
      throw failure(settings.path, error)
    }
  }

  get counts(): NotebookCounts {
    return this.#counts
  }

  place(): Place {
    const settle = (outcome: RecordedRequest | 'dropped') => {
      if (place.outcome !== null) return
      place.outcome = outcome
      this.#writeSettled()
    }
    const place: OpenPlace = {
      outcome: null,
      keep: settle,
      drop: () => settle('dropped'),
    }
    this.#places.push(place)
    return place
  }

  /** A tape whose file, should it need one, lies beside the list. */
  tape(contentType: string | null): BodyTape {
    return new BodyTape(() => this.#newBodyFile(contentType))
  }

  /** Tells that a body cannot be kept. */
  fail(error: unknown): void {
    if (this.#isFailed) return
    this.#isFailed = true
    this.#events.failed(failure(this.#settings.path, error))
  }

  /** Writes what is settled, forgets what is not, and closes the list. */
  close(): void {
    for (const place of [...this.#places]) place.drop()
    closeSync(this.#fd)
  }

  #writeSettled(): void {
    for (let first = this.#places[0]; first?.outcome; first = this.#places[0]) {
      this.#places.shift()
      if (first.outcome === 'dropped' || this.#isFailed) continue
      try {
        this.#write(first.outcome)
      } catch (error) {
        this.fail(error)
      }
    }
  }

  #write(request: RecordedRequest): void {
    const { body } = request
    const isFile = body !== null && (body.kind === 'file' || !isInline(body.bytes))
    let bodyFile: string | null = null
    if (isFile) bodyFile = body.kind === 'file' ? body.path : this.#newBodyFile(request.contentType)
    const line = urlLine(request, bodyFile)
    if (line === null || this.#isKnown(request, line, bodyFile)) {
      if (bodyFile !== null) unlinkSync(bodyFile)
      if (line === null) this.#counts.unsayableCount++
      else this.#counts.duplicateCount++
      return
    }
    if (bodyFile !== null && body?.kind === 'bytes') writeFileSync(bodyFile, body.bytes)
    writeSync(this.#fd, bytesFromLatin1(`${line}\n`))
    this.#counts.recordedCount++
    this.#events.recorded(textFromLatin1(line))
  }

  /** Remembers the request; true when it has been there before. */
  #isKnown(request: RecordedRequest, line: string, bodyFile: string | null): boolean {
    if (!this.#settings.isUnique) return false
    let key = line
    if (bodyFile !== null && request.body !== null) {
      const { body } = request
      const bytes = body.kind === 'file' ? readFileSync(body.path) : body.bytes
      const hash = createHash('sha256').update(bytes).digest('hex')
      key = `${line.slice(0, line.lastIndexOf('< '))}${hash}`
    }
    const isKnown = this.#known.has(key)
    this.#known.add(key)
    return isKnown
  }

  /** Makes an empty file with the next free number. */
  #newBodyFile(contentType: string | null): string {
    const folder = `${this.#settings.path}.bodies`
    mkdirSync(folder, { recursive: true })
    // siege takes text files to be trimmed; it sends these two kinds byte by byte.
    const extension = /json/i.test(contentType ?? '') ? 'json' : 'bin'
    for (;;) {
      const path = `${folder}/${String(++this.#fileNumber).padStart(4, '0')}.${extension}`
      try {
        closeSync(openSync(path, 'wx'))
        return path
      } catch (error) {
        // Numbers of an earlier recording are taken.
        const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST'
        if (!isTaken) throw error
      }
    }
  }
}

function failure(path: string, error: unknown): EnvironmentError {
  return new EnvironmentError(`cannot write to ${path}: ${systemReason(error)}`, {
    hint: 'name another file with --output FILE',
    cause: error,
  })
}

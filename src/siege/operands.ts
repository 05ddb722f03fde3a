/**
 * Operands that are no URLs, because of a slip that siege would have swallowed.
 *
 * Each message holds the command line as it was meant, ready to be pasted.
 */
import type { Problem } from '../base/errors.ts'
import type { CommandLine, Operand } from '../plan/getopt-gnu.ts'
import { quoted } from '../plan/option-table.ts'
import { REQUEST_METHODS } from '../plan/url-line.ts'
import type { SiegeSettings } from './settings.ts'

/** CONNECT is none of a URL list's, but as an operand it is the same slip. */
const METHODS = new Set([...REQUEST_METHODS, 'CONNECT'])

type SiegeLine = CommandLine<keyof SiegeSettings>

export function operandProblems(argv: readonly string[], line: SiegeLine): Problem[] {
  return [
    ...line.operands.flatMap((operand) => emptyProblem(operand)),
    ...logFileProblem(argv, line),
    ...methodProblem(argv, line.operands),
  ]
}

function emptyProblem(operand: Operand): Problem[] {
  return operand.text.trim() === '' ? [{ text: 'a URL is empty: ""' }] : []
}

/** `siege -l FILE URL`: FILE is attached to `-l` or not there at all. */
function logFileProblem(argv: readonly string[], line: SiegeLine): Problem[] {
  for (const flag of line.flags) {
    if (flag.key !== 'logOption' || flag.raw !== undefined) continue
    const next = line.operands.find((operand) => operand.argvIndex === flag.argvIndex + 1)
    if (next === undefined || !looksLikeFile(next.text, line)) continue
    const spelling = argv[flag.argvIndex]!
    const attached = spelling.startsWith('--') ? `${spelling}=${next.text}` : spelling + next.text
    const corrected = argv.toSpliced(flag.argvIndex, 2, attached)
    const text =
      `the file of ${flag.spelling} goes right behind it, without a blank; ` +
      `${quoted(next.text)} was taken for a URL: ${commandText(corrected)}`
    return [{ text }]
  }
  return []
}

function looksLikeFile(text: string, line: SiegeLine): boolean {
  if (text.includes('://')) return false
  if (/^(?:\/|\.\.?\/|~)/.test(text) || /\.(?:log|txt|csv|out)$/i.test(text)) return true
  // A lone word may be a host of the local network, unless there are URLs besides.
  const isWord = /^[\w-]+$/.test(text) && text !== 'localhost'
  const hasOtherUrls =
    line.operands.length > 1 || line.flags.some((flag) => flag.key === 'urlsFile')
  return isWord && hasOtherUrls
}

/** `siege http://host/ POST a=1`: the shell took the request apart. */
function methodProblem(argv: readonly string[], operands: readonly Operand[]): Problem[] {
  const at = operands.findIndex((operand) => METHODS.has(operand.text.toUpperCase()))
  const method = operands[at]
  if (method === undefined) return []
  const before = operands[at - 1]
  const bodyWords = wordsBehind(operands, at)
  let corrected: string[]
  if (before !== undefined) {
    const request = [before.text, method.text, ...bodyWords].join(' ')
    const dropped = new Set([before, method, ...operands.slice(at + 1, at + 1 + bodyWords.length)])
    corrected = replaceOperands(argv, dropped, request)
  } else {
    const url = operands[at + 1]
    if (url === undefined) return [{ text: `${quoted(method.text)} is a method, not a URL` }]
    corrected = replaceOperands(argv, new Set([method, url]), `${url.text} ${method.text}`)
  }
  const text =
    `${quoted(method.text)} is a method, not a URL; ` +
    `URL, method and body belong into one pair of quotes: ${commandText(corrected)}`
  return [{ text }]
}

/** The operands right behind a method that are more likely its body than further URLs. */
function wordsBehind(operands: readonly Operand[], at: number): string[] {
  const words: string[] = []
  for (let index = at + 1; index < operands.length; index++) {
    const operand = operands[index]!
    const isAdjacent = operand.argvIndex === operands[index - 1]!.argvIndex + 1
    if (!isAdjacent || operand.text.includes('://')) break
    words.push(operand.text)
  }
  return words
}

function replaceOperands(argv: readonly string[], dropped: Set<Operand>, by: string): string[] {
  const places = [...dropped].map((operand) => operand.argvIndex)
  const first = Math.min(...places)
  return argv.flatMap((word, index) => {
    if (index === first) return [by]
    return places.includes(index) ? [] : [word]
  })
}

function commandText(argv: readonly string[]): string {
  return ['siege', ...argv.map(shellWord)].join(' ')
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * Looks at TypeScript source as text: what is code, what is comment, what is imported, which
 * functions are how long.
 *
 * It is no parser. Strings, templates, regular expressions and comments are blanked out first, in
 * place, so that every position and line number stays that of the file.
 */

export interface SourceFile {
  /** From the project's root, with `/`. */
  readonly path: string
  readonly text: string
}

export interface MaskedText {
  /** Comments and what is inside strings are blank. */
  readonly code: string
  /** Only comments are blank. */
  readonly codeAndStrings: string
  /** Everything but comments is blank. */
  readonly comments: string
}

type Region = 'code' | 'string' | 'comment'

export function mask(text: string): MaskedText {
  const regions = regionsOf(text)
  const keep = (wanted: readonly Region[]) =>
    text.replace(/[^\n]/g, (character, at: number) =>
      wanted.includes(regions[at] ?? 'code') ? character : ' ',
    )
  return {
    code: keep(['code']),
    codeAndStrings: keep(['code', 'string']),
    comments: keep(['comment']),
  }
}

/** The region of each character; quotes and slashes around strings count as code. */
function regionsOf(text: string): Region[] {
  const regions: Region[] = new Array(text.length).fill('code')
  /** For each open `${`: how many braces are open inside it. */
  const templates: number[] = []
  let at = 0

  function fill(end: number, region: Region): void {
    regions.fill(region, at, Math.min(end, text.length))
    at = Math.min(end, text.length)
  }
  /** From inside a template to its end, or into its next `${`. */
  function template(): void {
    const rest = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y
    rest.lastIndex = at
    rest.exec(text)
    fill(rest.lastIndex, 'string')
    if (text[at] === '$') templates.push(0)
    at += text[at] === '$' ? 2 : 1
  }

  while (at < text.length) {
    const character = text[at] ?? ''
    const pair = text.slice(at, at + 2)
    const depth = templates.at(-1)
    if (pair === '//') fill(endOf(text, '\n', at), 'comment')
    else if (pair === '/*') fill(endOf(text, '*/', at + 2) + 2, 'comment')
    else if (character === "'" || character === '"') {
      at++
      fill(quotedEnd(text, at, character), 'string')
      at++
    } else if (character === '`') {
      at++
      template()
    } else if (character === '/' && startsRegex(text, regions, at)) {
      at++
      fill(regexEnd(text, at), 'string')
      at++
    } else if (character === '}' && depth === 0) {
      templates.pop()
      at++
      template()
    } else {
      if (depth !== undefined && character === '{') templates[templates.length - 1] = depth + 1
      if (depth !== undefined && character === '}') templates[templates.length - 1] = depth - 1
      at++
    }
  }
  return regions
}

function endOf(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from)
  return at < 0 ? text.length : at
}

function quotedEnd(text: string, start: number, quote: string): number {
  let at = start
  while (at < text.length && text[at] !== quote && text[at] !== '\n')
    at += text[at] === '\\' ? 2 : 1
  return at
}

/** A slash after a value divides; elsewhere it opens a regular expression. */
function startsRegex(text: string, regions: readonly Region[], at: number): boolean {
  let before = at - 1
  while (before >= 0 && (regions[before] === 'comment' || /\s/.test(text[before] ?? ''))) before--
  const word = /[\w$]+$/.exec(text.slice(Math.max(0, before - 20), before + 1))?.[0]
  if (word !== undefined) return /^(?:return|typeof|case|in|of|void|throw|await|yield)$/.test(word)
  return before < 0 || !/[)\]}'"`/]/.test(text[before] ?? '')
}

function regexEnd(text: string, start: number): number {
  let isInClass = false
  let at = start
  for (; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '[') isInClass = true
    else if (text[at] === ']') isInClass = false
    else if (text[at] === '/' && !isInClass) break
  }
  return at
}

export interface Import {
  readonly specifier: string
  readonly line: number
}

/** Everything that is imported, re-exported, loaded lazily or started as a thread. */
export function importsOf(masked: MaskedText): Import[] {
  const patterns = [
    /\bfrom\s*(['"])([^'"\n]+)\1/g,
    /\bimport\s*\(?\s*(['"])([^'"\n]+)\1/g,
    /\bnew URL\(\s*(['"])(\.[^'"\n]+)\1,\s*import\.meta\.url/g,
  ]
  const found = patterns.flatMap((pattern) => [...masked.codeAndStrings.matchAll(pattern)])
  return found
    .filter((match) => masked.code[match.index] !== ' ')
    .map((match) => ({
      specifier: match[2] ?? '',
      line: lineAt(masked.codeAndStrings, match.index),
    }))
}

export interface FunctionSpan {
  /** 1-based line of its opening brace. */
  readonly line: number
  readonly lineCount: number
}

/** Every function, method and arrow function with a body in braces. */
export function functionsOf({ code }: MaskedText): FunctionSpan[] {
  const spans: FunctionSpan[] = []
  const open: { readonly line: number; readonly isFunction: boolean }[] = []
  let line = 1
  for (let at = 0; at < code.length; at++) {
    if (code[at] === '\n') line++
    else if (code[at] === '{') open.push({ line, isFunction: opensFunction(code, at) })
    else if (code[at] === '}') {
      const start = open.pop()
      if (start?.isFunction) {
        spans.push({ line: start.line, lineCount: line - start.line + 1 })
      }
    }
  }
  return spans
}

/** True for the brace after `=>` or after a list of parameters, with or without a result type. */
function opensFunction(code: string, brace: number): boolean {
  const before = code.slice(Math.max(0, brace - 2000), brace).trimEnd()
  if (before.endsWith('=>')) return true
  const close = /\)(?:\s*:\s*[^(){};=]+)?$/.exec(before)
  if (close === null) return false
  let depth = 0
  for (let at = close.index; at >= 0; at--) {
    if (before[at] === ')') depth++
    if (before[at] === '(' && --depth === 0) {
      return !/\b(?:if|for|while|switch|catch|with|await)\s*$/.test(before.slice(0, at))
    }
  }
  return false
}

/** 1-based. */
export function lineAt(text: string, at: number): number {
  let line = 1
  for (let index = text.indexOf('\n'); index >= 0 && index < at; line++) {
    index = text.indexOf('\n', index + 1)
  }
  return line
}

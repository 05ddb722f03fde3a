/**
 * References to variables inside the lines of a siegerc or a URL list.
 *
 * `$(NAME)`, `${NAME}` and `$NAME` stand for the value of NAME; `\$` is a plain dollar. It is a
 * single pass: a value is put in as it is and never read again for references, so nothing can loop
 * and a dollar inside a value needs no escape.
 *
 * Bodies and prices are full of dollars. Hence everything that is not clearly a reference stays as
 * written: a lone `$`, `$10`, `$$`, `$('#id')`, and `$NAME` when NAME is not defined. Only the
 * bracketed forms, which nobody writes by accident, are an error when their name is not defined.
 */

export type Expansion =
  | { readonly text: string }
  /** `column` is where the reference starts, 1-based, in characters of the text as written. */
  | { readonly undefinedName: string; readonly column: number }

/** The value of a variable, or undefined when there is none of that name. */
export type VariableLookup = (name: string) => string | undefined

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/
const BRACKETED = /^(?:\(([^\s(){}$]+)\)|\{([^\s(){}$]+)\})/

/**
 * `text` with its references replaced, or the first bracketed reference that has no value.
 *
 * A bracketed name may hold any character but blanks, brackets and dollars if such a name is
 * defined (siegerc names like `site-a` are); otherwise it must look like a name to be an error.
 */
export function expand(text: string, lookup: VariableLookup): Expansion {
  let dollar = text.indexOf('$')
  if (dollar === -1) return { text }
  let expanded = ''
  let taken = 0
  while (dollar !== -1) {
    if (dollar > taken && text[dollar - 1] === '\\') {
      expanded += `${text.slice(taken, dollar - 1)}$`
      taken = dollar + 1
    } else {
      const reference = referenceAt(text, dollar)
      const value = reference === undefined ? undefined : lookup(reference.name)
      if (reference !== undefined && value !== undefined) {
        expanded += text.slice(taken, dollar) + value
        taken = dollar + reference.writtenLength
      } else if (reference?.isBracketed && isName(reference.name)) {
        return { undefinedName: reference.name, column: dollar + 1 }
      }
    }
    dollar = text.indexOf('$', Math.max(taken, dollar + 1))
  }
  return { text: expanded + text.slice(taken) }
}

interface Reference {
  readonly name: string
  readonly isBracketed: boolean
  /** From the dollar to the end of the name or its bracket. */
  readonly writtenLength: number
}

function referenceAt(text: string, dollar: number): Reference | undefined {
  const next = text[dollar + 1]
  const rest = text.slice(dollar + 1, dollar + 1 + NAME_LENGTH_MAX)
  if (next === '(' || next === '{') {
    const found = BRACKETED.exec(rest)
    const name = found?.[1] ?? found?.[2]
    if (found === null || name === undefined) return undefined
    return { name, isBracketed: true, writtenLength: 1 + found[0].length }
  }
  const name = NAME.exec(rest)?.[0]
  if (name === undefined) return undefined
  return { name, isBracketed: false, writtenLength: 1 + name.length }
}

/** Longer runs of letters are data; the bound keeps a megabyte full of dollars linear. */
const NAME_LENGTH_MAX = 256

/** Whether `word` can be a variable's name: letters, digits and `_`, not beginning with a digit. */
export function isName(word: string): boolean {
  return NAME.exec(word)?.[0] === word
}

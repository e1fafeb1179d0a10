// Input: lower case, NFKD.

export function wordsIn(text: string): string[] {
  return text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? []
}

/**
 * Returns the words before or after numbers from 1, without repeated labels. Undefined unless one per number.
 */
export function readNumbered(text: string): string[] | undefined {
  const plain = text.replace(ordinals, '$1 ')
  const numbers = plain.match(/\p{Nd}+/gu) ?? []
  if (numbers.length < 3 || numbers.some((number, index) => toNumber(number) !== index + 1)) return undefined
  const [head = [], ...items] = plain.split(/\p{Nd}+/u).map(wordsIn)
  if (items.at(-1)?.length === 0) return onlyWords([head, ...items.slice(0, -1)])
  const start = commonStart(items, Math.min(...items.map(({ length }) => length)) - 1)
  const bodies = items.map((words) => words.slice(start))
  const [last = [], ...others] = bodies.reverse()
  const before = [head, ...others].map((words) => words.toReversed())
  const most = Math.min(head.length, ...others.map(({ length }) => length - 1))
  const end = most > 0 ? commonStart(before, most) : 0
  return onlyWords([...others.reverse().map((words) => words.slice(0, words.length - end)), last])
}

/** "1st", and text between number and colon: "1个:". */
const ordinals = /(\p{Nd})(?:(?:st|nd|rd|th)(?!\p{L})|[^\p{ASCII}\p{Nd}\s]{1,3}(?=[.:)=\]-]))/gu

function onlyWords(items: string[][]): string[] | undefined {
  return items.every(({ length }) => length === 1) ? items.flat() : undefined
}

function commonStart(lists: string[][], most: number): number {
  const [first = []] = lists
  const isCommon = (index: number) => lists.every((words) => words[index] === first[index])
  let count = 0
  while (count < most && isCommon(count)) count++
  return count
}

/** Digits of a script are consecutive. */
function toNumber(digits: string): number {
  const values = [...digits].map((digit) => {
    const code = digit.codePointAt(0) ?? 0
    let value = 0
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
    return value
  })
  return Number(values.join(''))
}

/** Words after "a", "b", "c" or "i", "ii", "iii". */
export function readLettered(words: string[]): string[] | undefined {
  const marks = words.filter((_, index) => index % 2 === 0)
  const isList = [letters, romans].some((all) => marks.every((mark, index) => mark === all[index]))
  return isList ? words.filter((_, index) => index % 2 === 1) : undefined
}

const letters = [...'abcdefghijklmnopqrstuvwx']
const romans =
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv'.split(' ')

/** Words after labels ("First: …"). */
export function readLabelled(text: string): string[] | undefined {
  const lines = text.split('\n').filter((line) => wordsIn(line).length > 0)
  return onlyWords(lines.map((line) => wordsIn(/[:=](.*)$/.exec(line)?.[1] ?? '')))
}

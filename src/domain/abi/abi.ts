import type { Abi, AbiParameter, ParseAbi, ParseAbiItem, ParseAbiParameters } from 'viem'

// Parses our own signatures. An unknown type fails when its first value is encoded.

/** Parses on first use, to keep worker starts fast. */
export function readAbi<const Lines extends readonly string[]>(lines: Lines): () => ParseAbi<Lines> {
  let items: Abi | undefined
  return () => {
    items ??= readItems(lines)
    return items as ParseAbi<Lines>
  }
}

/** Parses a function, event or error without structs. */
export function readAbiItem<const Line extends string>(line: Line): ParseAbiItem<Line> {
  return readItem(line, new Map()) as ParseAbiItem<Line>
}

/** Parses a list of types followed by the structs they name. */
export function readParameters<const Lines extends readonly [string, ...string[]]>(
  lines: Lines,
): ParseAbiParameters<Lines> {
  const parameters: AbiParameter[] = readList(lines[0], findStructs(lines))
  return parameters as readonly AbiParameter[] as ParseAbiParameters<Lines>
}

type Structs = Map<string, string[]>

const struct = /^struct (\w+) \{ (.*); \}$/
const item = /^(function|event|error) (\w+)\((.*?)\)(?: (pure|view|payable))?(?: returns \((.*)\))?$/
const parameter = /^(\(.*\)|\w+)((?:\[\d*\])*)( indexed)?(?: (\w+))?$/

function findStructs(lines: readonly string[]): Structs {
  const found = lines.map((line) => struct.exec(line)).filter((match) => match !== null)
  return new Map(found.map(([, name = '', fields = '']) => [name, fields.split('; ')]))
}

function readItems(lines: readonly string[]): Abi {
  const structs = findStructs(lines)
  return lines.filter((line) => !struct.test(line)).map((line) => readItem(line, structs))
}

function readItem(line: string, structs: Structs): Abi[number] {
  const [, type, name = '', list = '', stateMutability = 'nonpayable', returns = ''] = item.exec(line) ?? []
  const inputs = readList(list, structs)
  if (type === 'event' || type === 'error') return { type, name, inputs }
  if (type !== 'function') throw new SyntaxError(`Not a signature: ${line}`)
  const outputs = readList(returns, structs)
  return { type, name, stateMutability: stateMutability as 'nonpayable', inputs, outputs }
}

function readList(list: string, structs: Structs): AbiParameter[] {
  return split(list).map((one) => readParameter(one, structs))
}

function readParameter(text: string, structs: Structs): AbiParameter {
  const [, word = '', array = '', indexed, name] = parameter.exec(text) ?? []
  if (word === '') throw new SyntaxError(`Not a parameter: ${text}`)
  const fields = word.startsWith('(') ? split(word.slice(1, -1)) : structs.get(word)
  const more = { ...(name && { name }), ...(indexed && { indexed: true }) }
  if (fields === undefined) return { type: word + array, ...more }
  const components = fields.map((field) => readParameter(field, structs))
  return { type: `tuple${array}`, components, ...more }
}

function split(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  for (const piece of list === '' ? [] : list.split(', ')) {
    if (depth === 0) parts.push(piece)
    else parts.push(`${parts.pop()}, ${piece}`)
    depth += piece.split('(').length - piece.split(')').length
  }
  return parts
}

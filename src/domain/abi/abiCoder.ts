import type { AbiParameter, DecodeAbiParametersReturnType } from 'viem'
import { fromHex, padWord, toHex, utf8 } from '../hex.ts'
import type { Hex } from '../token/token.ts'

// Solidity ABI in strict mode: offsets point to the end of the previous value and padding is zero, so data is
// read once, front to back, and has one encoding. As in Solidity, bytes may follow and trailing zeros may be
// missing.

/** Encodes `values`; throws an Error for one outside its type. */
export function encodeAbiParameters<const Parameters extends readonly AbiParameter[]>(
  parameters: Parameters,
  values: DecodeAbiParametersReturnType<Parameters>,
): Hex {
  return `0x${sequence(parameters.map(coderOf)).write(values as readonly unknown[])}`
}

/** Decodes `data`, with lower-case hex; throws an Error if malformed. */
export function decodeAbiParameters<const Parameters extends readonly AbiParameter[]>(
  parameters: Parameters,
  data: Hex,
): DecodeAbiParametersReturnType<Parameters> {
  const source = { hex: hexOf(data), at: 0 }
  return sequence(parameters.map(coderOf)).read(source) as DecodeAbiParametersReturnType<Parameters>
}

type Coder<Value = unknown> = {
  /** Undefined for a dynamic type. */
  size: number | undefined
  write(value: Value): string
  read(source: Source): Value
}

type Source = { hex: string; at: number }

function coderOf(parameter: AbiParameter): Coder {
  const { type } = parameter
  const [, item, length] = /^(.+)\[(\d*)\]$/.exec(type) ?? []
  if (item !== undefined) {
    const coder = coderOf({ ...parameter, type: item })
    return (length === '' ? list(coder) : fixedList(coder, Number(length))) as Coder
  }
  if (type === 'tuple' && 'components' in parameter) return tuple(parameter.components) as Coder
  if (type === 'bool') return bool as Coder
  if (type === 'address') return address as Coder
  if (type === 'bytes') return bytes as Coder
  if (type === 'string') return string as Coder
  const [, name, digits] = /^(int|uint|bytes)([1-9]\d*)$/.exec(type) ?? []
  const number = Number(digits)
  if (name === 'bytes' && number <= 32) return fixedBytes(number) as Coder
  if (name?.endsWith('int') && number <= 256 && number % 8 === 0) return integer(number, name) as Coder
  throw new Error(`No such type: ${type}`)
}

function integer(bits: number, name: string): Coder<bigint | number> {
  const signed = name === 'int'
  const most = 2n ** BigInt(signed ? bits - 1 : bits) - 1n
  const least = signed ? -most - 1n : 0n
  const checked = (value: bigint) => {
    if (value < least || value > most) throw new Error(`No ${name}${bits}`)
    return value
  }
  return {
    size: 32,
    write: (value) => padWord(BigInt.asUintN(256, checked(BigInt(value)))),
    read(source) {
      const found = BigInt(`0x${take(source, 32)}`)
      const value = checked(signed ? BigInt.asIntN(256, found) : found)
      // As in viem's types.
      return bits > 48 ? value : Number(value)
    },
  }
}

const bit = integer(1, 'uint')
const bool: Coder<boolean> = {
  size: 32,
  write: (value) => bit.write(Number(value)),
  read: (source) => bit.read(source) === 1,
}

const address: Coder<Hex> = {
  size: 32,
  write: (value) => hexOf(value, 20).padStart(64, '0'),
  read(source) {
    zeros(take(source, 12))
    return `0x${take(source, 20)}`
  },
}

function fixedBytes(size: number): Coder<Hex> {
  return {
    size: 32,
    write: (value) => hexOf(value, size).padEnd(64, '0'),
    read(source) {
      const value = take(source, size)
      zeros(take(source, 32 - size))
      return `0x${value}`
    },
  }
}

const bytes: Coder<Hex> = {
  size: undefined,
  write(value) {
    const hex = hexOf(value)
    return padWord(hex.length / 2) + hex.padEnd(padded(hex.length / 2) * 2, '0')
  },
  read(source) {
    const length = readCount(source)
    const value = take(source, length)
    const end = source.at + padded(length) - length
    zeros(source.hex.slice(source.at * 2, end * 2))
    source.at = end
    return `0x${value}`
  },
}

const string: Coder<string> = {
  size: undefined,
  write: (value) => bytes.write(toHex(utf8(value))),
  read: (source) => strictUtf8.decode(fromHex(bytes.read(source))),
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function sequence(coders: Coder[]): Coder<readonly unknown[]> {
  const dynamic = coders.some(({ size }) => size === undefined)
  const headSize = coders.reduce((sum, { size = 32 }) => sum + size, 0)
  return {
    size: dynamic ? undefined : headSize,
    write(values) {
      if (values.length !== coders.length) throw new Error(`Not ${coders.length} values`)
      let heads = ''
      let tails = ''
      coders.forEach((coder, index) => {
        const text = coder.write(values[index])
        heads += coder.size === undefined ? padWord(headSize + tails.length / 2) : text
        if (coder.size === undefined) tails += text
      })
      return heads + tails
    },
    read(source) {
      const start = source.at
      const heads = coders.map((coder) => (coder.size === undefined ? readCount(source) : coder.read(source)))
      return coders.map((coder, index) => {
        if (coder.size !== undefined) return heads[index]
        if (heads[index] !== source.at - start) throw new Error('An offset points elsewhere')
        return coder.read(source)
      })
    },
  }
}

function fixedList(item: Coder, length: number): Coder<readonly unknown[]> {
  return sequence(Array<Coder>(length).fill(item))
}

function list(item: Coder): Coder<readonly unknown[]> {
  return {
    size: undefined,
    write: (values) => padWord(values.length) + fixedList(item, values.length).write(values),
    read(source) {
      const length = readCount(source)
      // Rejected before allocation. Each item takes a word or more.
      if (length * 32 > source.hex.length / 2 - source.at) throw tooShort()
      return fixedList(item, length).read(source)
    },
  }
}

function tuple(fields: readonly AbiParameter[]): Coder<Record<string, unknown> | readonly unknown[]> {
  const values = sequence(fields.map(coderOf))
  const names = fields.flatMap(({ name }) => name || [])
  const named = names.length === fields.length && names.length > 0
  return {
    size: values.size,
    write: (value) => values.write(Array.isArray(value) ? value : names.map((name) => value[name as never])),
    read(source) {
      const found = values.read(source)
      return named ? Object.fromEntries(names.map((name, index) => [name, found[index]])) : found
    },
  }
}

function take(source: Source, size: number): string {
  const end = source.at + size
  if (end * 2 > source.hex.length) throw tooShort()
  const hex = source.hex.slice(source.at * 2, end * 2)
  source.at = end
  return hex
}

/** Bounded by the data. */
function readCount(source: Source): number {
  const count = BigInt(`0x${take(source, 32)}`)
  if (count > BigInt(source.hex.length / 2)) throw tooShort()
  return Number(count)
}

function tooShort(): Error {
  return new Error('The data is too short')
}

function zeros(padding: string): void {
  if (/[^0]/.test(padding)) throw new Error('Padding that is not zero')
}

function hexOf(value: Hex, size = (value.length - 2) / 2): string {
  const hex = value.slice(2).toLowerCase()
  if (!value.startsWith('0x') || hex.length !== size * 2 || hex.length % 2 !== 0 || /[^0-9a-f]/.test(hex)) {
    throw new Error('Not that many bytes')
  }
  return hex
}

function padded(length: number): number {
  return Math.ceil(length / 32) * 32
}

import {
  type AbiParameter,
  type DecodeAbiParametersReturnType,
  decodeAbiParameters,
  encodeAbiParameters,
  hexToBytes,
  numberToHex,
} from 'viem'
import type { Hex } from '../token/token.ts'

// viem accepts overlapping values and dirty padding, so values are encoded again and compared.

/** Decodes `data` if it is the only encoding of its values; throws an Error otherwise. Hex is lower case. */
export function decodeExact<const Parameters extends readonly AbiParameter[]>(
  parameters: Parameters,
  data: Hex,
): DecodeAbiParametersReturnType<Parameters> {
  const { values, encoded } = decode(parameters, data)
  if (encoded !== data) throw new Error('Not the canonical encoding')
  return values as unknown as DecodeAbiParametersReturnType<Parameters>
}

/**
 * Decodes return values, reverts and events. As in Solidity, bytes may follow and the zeros after a final
 * `bytes` or `string` may be missing. Throws an Error if `data` is otherwise not canonical.
 */
export function decodeReturned<const Parameters extends readonly AbiParameter[]>(
  parameters: Parameters,
  data: Hex,
): DecodeAbiParametersReturnType<Parameters> {
  const { values, encoded } = decode(parameters, data)
  const given = data.toLowerCase()
  const isShort = encoded.startsWith(given) && endsInBytes(parameters)
  if (!given.startsWith(encoded) && !(isShort && /^0*$/.test(encoded.slice(given.length))))
    throw new Error('Not the canonical encoding')
  return values as unknown as DecodeAbiParametersReturnType<Parameters>
}

function decode(parameters: readonly AbiParameter[], data: Hex): { values: unknown[]; encoded: Hex } {
  if (data.length % 2 !== 0) throw new Error('Not whole bytes')
  if (parameters.length === 0) return { values: [], encoded: '0x' }
  const raw = parameters.map(toRaw)
  const read = decodeAbiParameters(raw, BytesReadOnce.from(hexToBytes(data)))
  const values = parameters.map((parameter, index) => fromRaw(parameter, read[index]))
  return { values, encoded: encodeAbiParameters(raw, read) }
}

/** A canonical encoding is read once. Others could make short data stand for gigabytes of values. */
class BytesReadOnce extends Uint8Array<ArrayBuffer> {
  static get [Symbol.species]() {
    return Uint8Array
  }

  #left = this.length

  override subarray(start: number, end: number): Uint8Array<ArrayBuffer> {
    this.#left -= end - start
    if (this.#left < 0) throw new Error('Values overlap')
    return super.subarray(start, end)
  }
}

/** viem would hash every address for its checksum, and drop a BOM and invalid UTF-8 from a text. */
function toRaw(parameter: AbiParameter): AbiParameter {
  const type = parameter.type.replace(/^address/, 'uint160').replace(/^string/, 'bytes')
  return 'components' in parameter
    ? { ...parameter, type, components: parameter.components.map(toRaw) }
    : { ...parameter, type }
}

function fromRaw(parameter: AbiParameter, value: unknown): unknown {
  const type = parameter.type.replace(/\[\d*\]$/, '')
  if (type !== parameter.type)
    return (value as unknown[]).map((item) => fromRaw({ ...parameter, type }, item))
  if (type === 'address') return numberToHex(value as bigint, { size: 20 })
  if (type === 'string') return strictUtf8.decode(hexToBytes(value as Hex))
  if (!('components' in parameter)) return value
  const { components } = parameter
  return Array.isArray(value)
    ? components.map((field, index) => fromRaw(field, value[index]))
    : Object.fromEntries(
        components.map((field) => [field.name, fromRaw(field, (value as never)[field.name ?? ''])]),
      )
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function endsInBytes(parameters: readonly AbiParameter[]): boolean {
  const last = parameters.findLast(isDynamic)
  if (last === undefined) return false
  return 'components' in last ? endsInBytes(last.components) : /^(bytes|string)(\[|$)/.test(last.type)
}

function isDynamic(parameter: AbiParameter): boolean {
  const { type } = parameter
  return (
    /^(bytes|string)(\[|$)|\[\]/.test(type) ||
    ('components' in parameter && parameter.components.some(isDynamic))
  )
}

import type {
  Abi,
  AbiEvent,
  AbiFunction,
  AbiParameter,
  ContractEventName,
  ContractFunctionName,
  DecodeErrorResultReturnType,
  DecodeEventLogReturnType,
  DecodeFunctionDataReturnType,
  DecodeFunctionResultReturnType,
  EncodeFunctionDataParameters,
} from 'viem'
import { keccak256 } from '../hash.ts'
import { utf8 } from '../hex.ts'
import type { Hex } from '../token/token.ts'
import { readAbi } from './abi.ts'
import { decodeAbiParameters, encodeAbiParameters } from './abiCoder.ts'

/** Encodes a call; of overloads the first with as many arguments. Throws an Error for an unknown function. */
export function encodeFunctionData<const A extends Abi, Name extends ContractFunctionName<A>>(
  call: EncodeFunctionDataParameters<A, Name>,
): Hex {
  const { abi, functionName, args = [] } = call as { abi: Abi; functionName: string; args?: unknown[] }
  const item = functionsOf(abi).find(
    ({ name, inputs }) => name === functionName && inputs.length === args.length,
  )
  if (item === undefined) throw new Error(`No function ${functionName}`)
  return `${toFunctionSelector(item)}${encodeAbiParameters(item.inputs, args).slice(2)}`
}

/** Decodes calldata. Throws an Error if it is unreadable. */
export function decodeFunctionData<const A extends Abi>({
  abi,
  data,
}: {
  abi: A
  data: Hex
}): DecodeFunctionDataReturnType<A> {
  const { item, args } = decodeCall(functionsOf(abi), data)
  return { functionName: item.name, args } as DecodeFunctionDataReturnType<A>
}

/** Decodes a return value; several as a list. */
export function decodeFunctionResult<const A extends Abi, Name extends ContractFunctionName<A>>({
  abi,
  functionName,
  data,
}: {
  abi: A
  functionName: Name
  data: Hex
}): DecodeFunctionResultReturnType<A, Name> {
  const item = functionsOf(abi).find(({ name }) => name === functionName)
  if (item === undefined) throw new Error(`No function ${functionName}`)
  const values = decodeAbiParameters(item.outputs, data)
  return (values.length > 1 ? values : values[0]) as DecodeFunctionResultReturnType<A, Name>
}

const solidityErrors = readAbi(['error Error(string message)', 'error Panic(uint256 reason)'])

/** Decodes a revert by `abi` or as an error of Solidity itself. */
export function decodeErrorResult<const A extends Abi>({
  abi,
  data,
}: {
  abi: A
  data: Hex
}): DecodeErrorResultReturnType<A> {
  const errors = ([...abi, ...solidityErrors()] as Abi).filter((item) => item.type === 'error')
  const { item, args } = decodeCall(errors, data)
  return { abiItem: item, errorName: item.name, args } as DecodeErrorResultReturnType<A>
}

/** Decodes a log. Long indexed values are returned as their hash. */
export function decodeEventLog<const A extends Abi>({
  abi,
  topics: [signature, ...topics],
  data,
}: {
  abi: A
  topics: readonly Hex[]
  data: Hex
}): DecodeEventLogReturnType<A, ContractEventName<A>, [Hex, ...Hex[]], Hex> {
  const item = abi.find((each): each is AbiEvent => each.type === 'event' && hashOf(each) === signature)
  if (item === undefined) throw new Error(`No event has the topic ${signature}`)
  const plain = item.inputs.filter((input) => !input.indexed)
  if (plain.length + topics.length !== item.inputs.length) throw new Error('Not that many topics')
  const rest = [...decodeAbiParameters(plain, data)]
  const values = item.inputs.map((input) =>
    input.indexed ? readTopic(input, topics.shift() ?? '0x') : rest.shift(),
  )
  const named = item.inputs.every(({ name }) => name)
  const args = named
    ? Object.fromEntries(item.inputs.map(({ name }, index) => [name, values[index]]))
    : values
  return { eventName: item.name, args } as never
}

export function toFunctionSelector(item: Signed): Hex {
  return hashOf(item).slice(0, 10) as Hex
}

type Signed = { name: string; inputs: readonly AbiParameter[] }

function decodeCall<Item extends Signed>(items: readonly Item[], data: Hex) {
  const selector = data.slice(0, 10).toLowerCase()
  const item = items.find((each) => toFunctionSelector(each) === selector)
  if (item === undefined) throw new Error(`Nothing has the selector ${selector}`)
  const values = decodeAbiParameters(item.inputs, `0x${data.slice(10)}`)
  return { item, args: item.inputs.length === 0 ? undefined : values }
}

function functionsOf(abi: Abi): AbiFunction[] {
  return abi.filter((item) => item.type === 'function')
}

function hashOf({ name, inputs }: Signed): Hex {
  return keccak256(utf8(`${name}${typesOf(inputs)}`))
}

function typesOf(parameters: readonly AbiParameter[]): string {
  const types = parameters.map((parameter) =>
    'components' in parameter
      ? parameter.type.replace('tuple', typesOf(parameter.components))
      : parameter.type,
  )
  return `(${types.join(',')})`
}

function readTopic(parameter: AbiParameter, topic: Hex): unknown {
  const hashed = /^(bytes|string|tuple)$|\]$/.test(parameter.type)
  return decodeAbiParameters([hashed ? { type: 'bytes32' } : parameter], topic)[0]
}

import { encodeFunctionData, keccak256, numberToHex, parseAbi, parseAbiParameters, stringToBytes } from 'viem'
import { decodeReturned } from '../domain/abi/decodeStrict.ts'
import { permit2 } from '../domain/signing/permit2.ts'
import { daiType, eip2612Type } from '../domain/signing/permitTypes.ts'
import type { Address, Hex } from '../domain/token/token.ts'
import { toWords } from '../domain/words.ts'
import { once } from '../lib/once.ts'
import { getCodeHash } from './codeHash.ts'
import { allowanceData, labelData, readLabel } from './erc20.ts'
import { type Call, type CallResult, multicall, readNumber } from './rpc/multicall.ts'
import type { Rpc } from './rpc/rpc.ts'

/** `separator`: verified EIP-712 domain separator. */
export type PermitInfo = { style: 'eip2612' | 'dai'; separator: Hex; nonce: bigint }

/**
 * `allowance` is the token's for Permit2, `amount` Permit2's for the spender until `expiration` (seconds
 * since 1970).
 */
export type Permit2Info = {
  permit2: Address
  separator: Hex
  allowance: bigint
  amount: bigint
  expiration: bigint
  nonce: bigint
}

const abi = once(() =>
  parseAbi([
    'function version()',
    'function DOMAIN_SEPARATOR()',
    'function nonces(address owner)',
    'function PERMIT_TYPEHASH()',
    'function eip712Domain()',
    'function allowance(address owner, address token, address spender)',
  ]),
)

const permit2Allowance = once(() => parseAbiParameters('uint256 amount, uint256 expiration, uint256 nonce'))
const eip712Domain = once(() =>
  parseAbiParameters('bytes1, string, string, uint256, address, bytes32, uint256[]'),
)

/** Returns permit data if the domain separator matches: otherwise a signature might be valid elsewhere. */
export async function readPermit(
  rpc: Rpc,
  chainId: number,
  token: Address,
  owner: Address,
): Promise<PermitInfo | undefined> {
  const reads: Hex[] = [
    labelData('name'),
    encodeFunctionData({ abi: abi(), functionName: 'version' }),
    encodeFunctionData({ abi: abi(), functionName: 'DOMAIN_SEPARATOR' }),
    encodeFunctionData({ abi: abi(), functionName: 'nonces', args: [owner] }),
    encodeFunctionData({ abi: abi(), functionName: 'PERMIT_TYPEHASH' }),
    encodeFunctionData({ abi: abi(), functionName: 'eip712Domain' }),
  ]
  const returned = await multicall(
    rpc,
    reads.map((data) => ({ to: token, data })),
  )
  const [name, version, separator, nonces, typeHash, domain] = returned
  const nonce = readNumber(nonces)
  const style = toStyle(typeHash)
  if (separator?.length !== 66 || nonce === undefined || style === undefined) return undefined

  const said = readDomain(domain) ?? [readLabel(name), readLabel(version)]
  const versions = [said[1], '1', '2', undefined]
  const isOurs = versions.some((each) => toSeparator(token, chainId, said[0], each) === separator)
  return isOurs ? { style, separator, nonce } : undefined
}

/** Returns undefined if Permit2's address has other code. */
export async function readPermit2(
  rpc: Rpc,
  chainId: number,
  token: Address,
  owner: Address,
  spender: Address,
): Promise<Permit2Info | undefined> {
  const separator = toSeparator(permit2, chainId, 'Permit2')
  const [[said, given, allowed], codeHash] = await Promise.all([
    multicall(rpc, [
      { to: permit2, data: encodeFunctionData({ abi: abi(), functionName: 'DOMAIN_SEPARATOR' }) },
      permit2AllowanceCall(owner, token, spender),
      { to: token, data: allowanceData(owner, permit2) },
    ]),
    getCodeHash(rpc, permit2, (code) => blankImmutables(code, chainId, separator)),
  ])
  const allowance = readNumber(allowed)
  const stored = readPermit2Allowance(given)
  const isPermit2 = codeHash === permit2CodeHash && said === separator
  if (!isPermit2 || stored === undefined || allowance === undefined) return undefined
  return { permit2, separator, allowance, ...stored }
}

export function permit2AllowanceCall(owner: Address, token: Address, spender: Address): Call {
  const data = encodeFunctionData({ abi: abi(), functionName: 'allowance', args: [owner, token, spender] })
  return { to: permit2, data }
}

export function readPermit2Allowance(
  returned: CallResult,
): Pick<Permit2Info, 'amount' | 'expiration' | 'nonce'> | undefined {
  if (returned?.length !== 194) return undefined
  const [amount, expiration, nonce] = decodeReturned(permit2Allowance(), returned)
  return { amount, expiration, nonce }
}

/** Often not exposed by EIP-2612 tokens. */
function toStyle(typeHash: CallResult): PermitInfo['style'] | undefined {
  if (typeHash === daiType) return 'dai'
  return readNumber(typeHash) === undefined || typeHash === eip2612Type ? 'eip2612' : undefined
}

/** EIP-5267. */
function readDomain(returned: CallResult): readonly [string, string] | undefined {
  try {
    const [, name, version] = decodeReturned(eip712Domain(), returned ?? '0x')
    return [name, version]
  } catch {
    return undefined
  }
}

function toSeparator(contract: Address, chainId: number, name: string, version?: string): Hex {
  const member = version === undefined ? '' : 'string version,'
  const type = `EIP712Domain(string name,${member}uint256 chainId,address verifyingContract)`
  const texts = [type, name, ...(version === undefined ? [] : [version])]
  return keccak256(toWords([...texts.map((text) => keccak256(stringToBytes(text))), chainId, contract]))
}

const permit2CodeHash: Hex = '0x463331fa7a0d5f07488e42c37b461bb56a822145c161a821fbafe7d4e916b546'

/** Byte offsets (Optimism's Preinstalls.sol, getPermit2Code). */
const chainIdAt = 6_945
const separatorAt = 6_983

/** Blanks the immutables if they match. */
function blankImmutables(code: Hex, chainId: number, separator: Hex): Hex {
  const at = (offset: number) => 2 + 2 * offset
  const wordAt = (offset: number) => code.slice(at(offset), at(offset + 32))
  const isOfChain =
    wordAt(chainIdAt) === numberToHex(chainId, { size: 32 }).slice(2) &&
    wordAt(separatorAt) === separator.slice(2)
  if (!isOfChain) return code
  const blank = '0'.repeat(64)
  const between = code.slice(at(chainIdAt + 32), at(separatorAt))
  return `0x${code.slice(2, at(chainIdAt))}${blank}${between}${blank}${code.slice(at(separatorAt + 32))}`
}

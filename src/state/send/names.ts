import { ensRegistry } from '../../domain/address/ens.ts'
import { keccak256 } from '../../domain/hash.ts'
import { type Address, type Hex, nobody } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Wallet } from '../../protocol.ts'
import { attempt } from '../attempt.ts'

/** Whose a name is, as the registry on the chain says. */
export type NameAnswer =
  /**
   * `name` is as the standard writes it (ENSIP-15). `isChanged`: that is not what was typed, capitals aside. `isForeign`: it has signs
   * besides a to z, digits and hyphens, which may look like others.
   */
  | { status: 'found'; name: string; address: Address; isChanged: boolean; isForeign: boolean }
  /** No name may be written so: signs that are forbidden, or scripts that are mixed. */
  | { status: 'invalid' }
  /** Nobody registered it on this chain, or it names no account. */
  | { status: 'unknown'; name: string }
  /** Somebody would have to be asked outside of the chain (EIP-3668). The wallet does not. */
  | { status: 'elsewhere'; name: string }
  /** The wallet knows of no registry here. */
  | { status: 'no-registry' }

/** The first four bytes of resolver(bytes32) and of addr(bytes32). */
const resolverSelector = '0x0178b8bf'
const addrSelector = '0x3b3b57de'

/** Of OffchainLookup(address,string[],bytes,bytes4,bytes). */
const offchainLookup = '556f1830'

/**
 * Asks the user's own node whom a name means: the registry for the name's resolver, and that one for the address. Nobody else is asked:
 * names that are kept outside of the chain (EIP-3668), or answered for by the name above (ENSIP-10), are not followed.
 */
export async function resolveName(
  wallet: Pick<Wallet, 'call'>,
  chainId: number,
  text: string,
  registry = ensRegistry(chainId),
): Promise<NameAnswer> {
  if (registry === undefined) return { status: 'no-registry' }
  const { normalize } = await fetchTables()
  const typed = text.trim()
  const name = attempt(() => normalize(typed))
  if (name === undefined) return { status: 'invalid' }
  const node = namehash(name).slice(2)
  const ask = (contract: Address, selector: Hex) => wallet.call(chainId, contract, `${selector}${node}`)
  try {
    const registered = await ask(registry, resolverSelector)
    // Where there is no contract, nothing is answered.
    if (registered === '0x') return { status: 'no-registry' }
    const resolver = readAddress(registered)
    const address = resolver && readAddress(await ask(resolver, addrSelector))
    if (address === undefined) return { status: 'unknown', name }
    return {
      status: 'found',
      name,
      address,
      isChanged: name !== typed.toLowerCase(),
      isForeign: /[^a-z0-9.-]/.test(name),
    }
  } catch (error) {
    return { status: readRefusal(error), name }
  }
}

/** EIP-137: each label's hash upon that of the name above. */
export function namehash(name: string): Hex {
  const labels = name.split('.').reverse()
  return labels.reduce<Hex>(
    (above, label) => {
      const own = keccak256(new TextEncoder().encode(label)).slice(2)
      return keccak256(`${above}${own}`)
    },
    `0x${'0'.repeat(64)}`,
  )
}

/** A word that holds an address. Undefined for none, for the zero address, and where there is no contract to answer. */
function readAddress(answer: unknown): Address | undefined {
  const [, address] = /^0x0{24}([0-9a-f]{40})$/i.exec(String(answer)) ?? []
  const found: Address = `0x${address?.toLowerCase()}`
  return address === undefined || found === nobody ? undefined : found
}

/** A contract that fails knows no such name. Throws what is no answer of a contract. */
function readRefusal(error: unknown): 'elsewhere' | 'unknown' {
  const { code, facts } = toWalletError(error)
  const { rpcData = '', isRevert } = facts
  if (code !== 'node-answered') throw error
  if (rpcData.includes(offchainLookup)) return 'elsewhere'
  if (isRevert) return 'unknown'
  throw error
}

async function fetchTables(): Promise<typeof import('./ensip.ts')> {
  try {
    return await import('./ensip.ts')
  } catch (cause) {
    throw new WalletError('internal', 'The tables for reading names could not be fetched.', {}, { cause })
  }
}

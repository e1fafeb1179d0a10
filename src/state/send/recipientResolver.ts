import { readTypedAddress, type TypedAddress } from '../../domain/address/typedAddress.ts'
import type { Address } from '../../domain/token/token.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { TransactionsApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { retryOnWorkerRestart } from '../retryOnWorkerRestart.ts'
import { type NameResult, resolveName } from './ens.ts'

/** What is typed of somebody: an address, a name on the chain, part of a contact's name, or nothing that can be used. */
export type Recipient =
  | { kind: 'empty' }
  | { kind: 'words' }
  | Exclude<TypedAddress, { kind: 'address' | 'name' }>
  /** It is written for another network than the one at hand. */
  | { kind: 'other-network'; chainId: number }
  /** A link of EIP-681 that asks for an amount, which the form does not take over. */
  | { kind: 'amount-link' }
  /** `name`: it was found by that. `isContract` is undefined until the node has answered. */
  | { kind: 'known'; address: Address; name?: Found; isContract: boolean | undefined }
  | { kind: 'looking'; text: string }
  | { kind: 'no-name'; answer: Exclude<NameResult, Found> }
  | { kind: 'failed'; error: WalletError }

export type Found = Extract<NameResult, { status: 'found' }>

/** Where who is meant is shown. `onKnown`: it is somebody else now. */
type Field = {
  read(): { chainId: number | undefined; recipient: Recipient }
  write(recipient: Recipient): void
  onKnown(): void
}

const nameAfterMs = 350

/** Finds out who is meant by what is typed, as long as nothing else stands in the field. */
export function createLookup(
  wallet: Pick<TransactionsApi, 'isContract' | 'call'>,
  clock: Clock,
  field: Field,
) {
  const naming = createTimer(clock)
  const isShown = (recipient: Recipient) => field.read().recipient === recipient

  /** Whether somebody is a contract, for as long as they stand in the field. */
  async function meet(address: Address, name?: Found): Promise<void> {
    const known: Recipient = { kind: 'known', address, ...(name && { name }), isContract: undefined }
    field.write(known)
    const { chainId = 0 } = field.read()
    field.onKnown()
    try {
      const isWanted = () => isShown(known)
      const isContract = await retryOnWorkerRestart(
        clock,
        () => wallet.isContract(chainId, address),
        isWanted,
      )
      if (isWanted()) field.write({ ...known, isContract })
    } catch {
      // The review asks again, and says why where it still cannot be had.
    }
  }

  async function resolve(text: string): Promise<void> {
    const { chainId = 0 } = field.read()
    const looking: Recipient = { kind: 'looking', text }
    field.write(looking)
    const isWanted = () => isShown(looking)
    try {
      const answer = await retryOnWorkerRestart(clock, () => resolveName(wallet, chainId, text), isWanted)
      if (!isWanted()) return
      if (answer.status === 'found') meet(answer.address, answer)
      else field.write({ kind: 'no-name', answer })
    } catch (error) {
      if (isWanted()) field.write({ kind: 'failed', error: toWalletError(error) })
    }
  }

  return (text: string): void => {
    naming.stop()
    field.write({ kind: text.trim() === '' ? 'empty' : 'words' })
    const typed = readTypedAddress(text)
    if (typed === undefined) return
    if (typed.kind !== 'address' && typed.kind !== 'name') field.write(typed)
    else if (typed.chainId !== undefined && typed.chainId !== field.read().chainId)
      field.write({ kind: 'other-network', chainId: typed.chainId })
    else if (typed.asksAmount) field.write({ kind: 'amount-link' })
    else if (typed.kind === 'address') meet(typed.address)
    else naming.set(nameAfterMs, () => void resolve(typed.name))
  }
}

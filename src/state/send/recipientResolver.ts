import { readTypedAddress, type TypedAddress } from '../../domain/address/typedAddress.ts'
import type { Address } from '../../domain/token/token.ts'
import { toWalletError, type WalletError } from '../../errors.ts'
import type { TransactionsApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { retryOnWorkerRestart } from '../retryOnWorkerRestart.ts'
import { type NameResult, resolveName } from './ens.ts'

export type Recipient =
  | { kind: 'empty' }
  | { kind: 'words' }
  | Exclude<TypedAddress, { kind: 'address' | 'name' }>
  /** Address of another network. */
  | { kind: 'other-network'; chainId: number }
  /** EIP-681 link with an amount, which is not supported. */
  | { kind: 'amount-link' }
  /** `name`: the name it was resolved from. `isContract`: undefined until known. */
  | { kind: 'known'; address: Address; name?: ResolvedRecipient; isContract: boolean | undefined }
  | { kind: 'looking'; text: string }
  | { kind: 'no-name'; answer: Exclude<NameResult, ResolvedRecipient> }
  | { kind: 'failed'; error: WalletError }

export type ResolvedRecipient = Extract<NameResult, { status: 'found' }>

/** `onKnown` runs when the recipient changes. */
type Field = {
  read(): { chainId: number | undefined; recipient: Recipient }
  write(recipient: Recipient): void
  onKnown(): void
}

const nameAfterMs = 350

/** Drops results once the field changes. */
export function createRecipientResolver(
  wallet: Pick<TransactionsApi, 'isContract' | 'call'>,
  clock: Clock,
  field: Field,
) {
  const naming = createTimer(clock)
  const isShown = (recipient: Recipient) => field.read().recipient === recipient

  async function meet(address: Address, name?: ResolvedRecipient): Promise<void> {
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
      // The review retries and reports the error.
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

import { getChainId } from '../../domain/activity/intent.ts'
import {
  type Fees,
  meetsMinFees,
  minReplacementFees,
  type Replacement,
  type ReplacementKind,
  type ReplaceRequest,
  toLegacy,
} from '../../domain/activity/replacement.ts'
import type { Address, Hex } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import { readTransaction, signTransaction, type Transaction } from '../../evm/transaction.ts'
import type { Vault } from '../../vault/vault.ts'
import { getCost } from '../fees/cost.ts'
import { feeCap as computeFeeCap, estimateCallGas, requireNativeBalance } from '../fees/fees.ts'
import type { Networks } from '../networks/networks.ts'
import { competingTransactions, isSigned, type Journal } from './journal.ts'
import { isTransient } from './retryPolicy.ts'
import type { IntentRecord, ReplacementTransaction, SignedStep } from './schemas.ts'
import { broadcastTtlMs } from './signer.ts'

type Deps = {
  vault: Pick<Vault, 'withKey'>
  networks: Pick<Networks, 'chain'>
  journal: Pick<Journal, 'get'>
  save(record: IntentRecord): Promise<IntentRecord>
  now(): number
}

/**
 * Signs a replacement: the same call or a cancellation. Stored before sending; the mined one decides
 * (broadcastOrTrack.ts).
 */
export function createReplace({ vault, networks, journal, save, now }: Deps) {
  async function read(id: string): Promise<Waiting> {
    const record = await journal.get(id)
    const step = record?.steps.findLast(isSigned)
    if (record === undefined || step === undefined) throw nothingWaits()
    return { record, step, chain: await networks.chain(getChainId(record.intent)) }
  }

  return {
    /** Throws `already-mined`, or `invalid-input` if nothing is pending. */
    async offer(id: string, wish: ReplacementKind): Promise<Replacement> {
      const waiting = await read(id)
      const { call, gas, expectedGas, l1Fee, speeds, baseFeePerGas } = await price(waiting, wish)
      const { slow, normal, fast } = speeds
      const { isLegacy } = call
      return {
        replaces: competingTransactions(waiting.step)[0].hash,
        gas,
        expectedGas,
        l1Fee: computeFeeCap(l1Fee),
        baseFeePerGas,
        least: getLeast(waiting.step),
        ...(isLegacy && { isLegacy }),
        speeds: isLegacy ? { slow: toLegacy(slow), normal: toLegacy(normal), fast: toLegacy(fast) } : speeds,
      }
    },

    /**
     * Throws `already-mined`, `underpriced`, `stale-review`, `fee-too-high`, `not-enough-gas`, `locked`,
     * `invalid-input`. Needs the record's mutex.
     */
    async replace({ id, wish, replaces, fees: asked, feeCap }: ReplaceRequest): Promise<IntentRecord> {
      const waiting = await read(id)
      const { record, step, chain } = waiting
      // Offered for an earlier step.
      if (competingTransactions(step).every(({ hash }) => hash !== replaces)) throw alreadyMined()
      if (competingTransactions(step).some((one) => one.hash !== replaces && isOf(one, wish, asked)))
        return record
      const fees = isLegacyStep(step) ? toLegacy(asked) : asked
      const { call, coin, networkFee: fee } = await price(waiting, wish, fees)
      if (!meetsMinFees(fees, getLeast(step))) throw underpriced(step)
      if (fee > feeCap) throw tooDear(fee, feeCap)
      requireNativeBalance(coin, call.value, fee)

      const { intent } = record
      const bytes = await vault.withKey(intent.account, (key) => signTransaction(key, { ...call, ...fees }))
      const isCancel = wish === 'cancel'
      // The increase was shown, too.
      const more = fee > step.fee ? fee - step.fee : 0n
      const replaced: SignedStep = {
        ...step,
        ...(!isCancel && bytes),
        fee: step.fee + more,
        rivals: [...competingTransactions(step).reverse(), { ...bytes, ...(isCancel && { cancels: true }) }],
        deadline: now() + broadcastTtlMs,
      }
      const steps = record.steps.map((one) => (one === step ? replaced : one))
      const saved = await save({ ...record, intent: { ...intent, feeCap: intent.feeCap + more }, steps })
      await send(chain, replaced, bytes.raw)
      return saved
    },
  }
}

type Waiting = { record: IntentRecord; step: SignedStep; chain: Chain }

async function price({ record, step, chain }: Waiting, wish: ReplacementKind, fees?: Fees) {
  const { account } = record.intent
  if (step.state !== 'sent' && step.state !== 'signed') {
    throw step.block === undefined ? nothingWaits() : alreadyMined()
  }
  if ((await chain.nonces(account)).mined > step.nonce) throw alreadyMined()
  const call = await getCall(chain, account, step, wish)
  const [cost, coin] = await Promise.all([
    getCost(chain, [call], call.gas, fees),
    chain.nativeBalance(account),
    chain.verify(),
  ])
  return { call, coin, ...cost }
}

/** The bytes are stored; polling resends them. */
async function send(chain: Chain, step: SignedStep, raw: Hex): Promise<void> {
  const found = await chain.send(raw).catch((cause: unknown) => {
    const error = toWalletError(cause)
    if (!isTransient(error)) throw error.code === 'underpriced' ? underpriced(step) : error
  })
  if (found === 'nonce-used') throw alreadyMined()
}

/** Already signed before. Closed records lost their bytes. */
function isOf(
  { cancels, raw }: ReplacementTransaction,
  wish: ReplacementKind,
  { maxFeePerGas }: Fees,
): boolean {
  if (raw === '0x' || (wish === 'cancel') !== (cancels ?? false)) return false
  return readTransaction(raw).maxFeePerGas === maxFeePerGas
}

/** A cancellation pays nothing to oneself. */
async function getCall(
  chain: Chain,
  account: Address,
  step: SignedStep,
  wish: ReplacementKind,
): Promise<Transaction> {
  const own = competingTransactions(step).find(({ cancels }) => !cancels) ?? step
  const transaction = readTransaction(own.raw)
  if (wish === 'faster') return transaction
  const { accessList: _, ...envelope } = transaction
  const call = { to: account, data: '0x', value: 0n } as const
  return { ...envelope, ...call, gas: await estimateCallGas(chain, account, call, false) }
}

/** Replacements keep the type. */
function isLegacyStep(step: SignedStep): boolean {
  return competingTransactions(step).some(({ raw }) => raw !== '0x' && readTransaction(raw).isLegacy)
}

function getLeast(step: SignedStep): Fees {
  return minReplacementFees(competingTransactions(step).map(({ raw }) => readTransaction(raw)))
}

function underpriced(step: SignedStep): WalletError {
  const { maxFeePerGas, maxPriorityFeePerGas } = getLeast(step)
  return new WalletError('underpriced', 'Another pays nearly as much.', {
    maxFeePerGas: String(maxFeePerGas),
    maxPriorityFeePerGas: String(maxPriorityFeePerGas),
  })
}

function tooDear(fee: bigint, feeCap: bigint): WalletError {
  return new WalletError('stale-review', `It costs up to ${fee} wei, above the ${feeCap} that was shown.`, {
    expected: String(feeCap),
    found: String(fee),
  })
}

function alreadyMined(): WalletError {
  return new WalletError('already-mined', 'The transaction is mined already.')
}

function nothingWaits(): WalletError {
  return new WalletError('invalid-input', 'No transaction waits.')
}

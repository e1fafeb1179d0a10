import type { Chain } from '../chain/client.ts'
import { readTransaction, signTransaction, type Transaction } from '../chain/transaction.ts'
import { chainIdOf } from '../domain/intent.ts'
import {
  dearer,
  type Fees,
  leastFees,
  pays,
  type ReplaceAsk,
  type Replacement,
  type Wish,
} from '../domain/replacement.ts'
import type { Address } from '../domain/token.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { Vault } from '../vault/vault.ts'
import { l1FeeOf } from './cost.ts'
import { callGas, checkCoin } from './fees.ts'
import {
  type Attempt,
  attemptsOf,
  type IntentRecord,
  isSigned,
  type Journal,
  type SignedStep,
} from './journal.ts'
import type { Networks } from './networks.ts'
import { isPassing } from './patience.ts'
import { sendForMs } from './signer.ts'

type Parts = {
  vault: Pick<Vault, 'withKey'>
  networks: Pick<Networks, 'chain'>
  journal: Pick<Journal, 'get'>
  /** Stores a record, so that all views hear of it. */
  save(record: IntentRecord): Promise<IntentRecord>
  /** Milliseconds since 1970. */
  now(): number
}

/**
 * Signs another transaction with the number of one that waits: the same call for more, or one that does nothing. It is stored beside its
 * rivals before it is sent, and whichever is mined decides (settle.ts).
 */
export function createReplace({ vault, networks, journal, save, now }: Parts) {
  async function read(id: string): Promise<{ record: IntentRecord; step: SignedStep; chain: Chain }> {
    const record = await journal.get(id)
    const step = record?.steps.findLast(isSigned)
    if (record === undefined || step === undefined) throw nothingWaits()
    return { record, step, chain: await networks.chain(chainIdOf(record.intent)) }
  }

  return {
    /** Throws `already-mined`, and `invalid-input` where nothing waits. */
    async offer(id: string, wish: Wish): Promise<Replacement> {
      const { record, step, chain } = await read(id)
      await checkWaiting(chain, record, step)
      const call = await callOf(chain, record.intent.account, step, wish)
      const [feesOf, l1Fee] = await Promise.all([chain.market(), l1FeeOf(chain, [call]), chain.verify()])
      const least = leastOf(step)
      const at = (speed: 'slow' | 'normal' | 'fast') => {
        const fees = dearer(least, feesOf(speed))
        return { ...fees, networkFee: call.gas * fees.maxFeePerGas + l1Fee }
      }
      const speeds = { slow: at('slow'), normal: at('normal'), fast: at('fast') }
      return { replaces: step.hash, gas: call.gas, l1Fee, least, speeds }
    },

    /**
     * Throws `already-mined`, `underpriced` with the least that is taken, `not-enough-gas`, `locked`, `stale-review` where it was replaced
     * meanwhile, `invalid-input`. No other change of the record may be under way.
     */
    async replace({ id, wish, replaces, fees }: ReplaceAsk): Promise<IntentRecord> {
      const { record, step, chain } = await read(id)
      const cancels = wish === 'cancel'
      const attempts = attemptsOf(step)
      if (isKnown(attempts, replaces, cancels, fees)) return record
      await checkWaiting(chain, record, step)
      if (step.hash !== replaces) {
        throw new WalletError('stale-review', 'The transaction was replaced meanwhile.', { hash: step.hash })
      }
      if (!pays(fees, leastOf(step))) throw underpriced(step)
      const { account } = record.intent
      const call = await callOf(chain, account, step, wish)
      const [feesOf, l1Fee, coin] = await Promise.all([
        chain.market(),
        l1FeeOf(chain, [call]),
        chain.coin(account),
        chain.verify(),
      ])
      const price = { gas: call.gas, ...feesOf(fees) }
      const fee = price.gas * price.maxFeePerGas + l1Fee
      checkCoin(coin, call.value, fee)

      const bytes = await vault.withKey(account, (key) => signTransaction(key, { ...call, ...price }))
      const { cancels: _, rivals: _older, ...rest } = step
      const newest: SignedStep = {
        ...rest,
        ...bytes,
        fee,
        price,
        ...(cancels && { cancels }),
        rivals: attempts.toReversed(),
        deadline: now() + sendForMs,
      }
      const steps = record.steps.map((one) => (one === step ? newest : one))
      const saved = await save({ ...record, intent: withRoom(record, step, fee), steps })
      await send(chain, newest)
      return saved
    },
  }
}

/** The bytes are stored: what a node did not hear of is sent by whoever looks at them next. */
async function send(chain: Chain, step: SignedStep): Promise<void> {
  const found = await chain.send(step.raw).catch((cause: unknown) => {
    const error = toWalletError(cause)
    if (error.code === 'underpriced') throw underpriced(step)
    if (!isPassing(error)) throw error
  })
  if (found === 'nonce-used') throw alreadyMined(step)
}

/** What it cost at most was shown for all steps; now it is this much more, and that was shown too. */
function withRoom({ intent }: IntentRecord, step: SignedStep, fee: bigint): IntentRecord['intent'] {
  let more = fee
  for (const one of attemptsOf(step)) if (fee - one.fee < more) more = fee - one.fee
  return more > 0n ? { ...intent, feeCap: intent.feeCap + more } : intent
}

/** True when this was asked before: it is there, signed after what it replaces. */
function isKnown(attempts: Attempt[], replaces: string, cancels: boolean, fees: Fees): boolean {
  if (attempts.every(({ hash }) => hash !== replaces)) return false
  return attempts.some(
    (one) =>
      one.hash !== replaces &&
      (one.cancels ?? false) === cancels &&
      one.price?.maxFeePerGas === fees.maxFeePerGas &&
      one.price.maxPriorityFeePerGas === fees.maxPriorityFeePerGas,
  )
}

async function checkWaiting(chain: Chain, { intent }: IntentRecord, step: SignedStep): Promise<void> {
  if (['mined', 'final', 'reverted', 'cancelled'].includes(step.state)) throw alreadyMined(step)
  if (step.state !== 'sent' && step.state !== 'signed') throw nothingWaits()
  if ((await chain.nonces(intent.account)).mined > step.nonce) throw alreadyMined(step)
}

/** What the new one does: the newest that does what the step is for, or a payment of nothing to oneself. */
async function callOf(chain: Chain, account: Address, step: SignedStep, wish: Wish): Promise<Transaction> {
  const newest = attemptsOf(step).find(({ cancels }) => !cancels) ?? step
  const transaction = readTransaction(newest.raw)
  if (wish === 'faster') return transaction
  const { accessList: _, ...envelope } = transaction
  const call = { to: account, data: '0x', value: 0n } as const
  return { ...envelope, ...call, gas: await callGas(chain, account, call, false) }
}

function leastOf(step: SignedStep): Fees {
  return leastFees(attemptsOf(step).map(({ raw }) => readTransaction(raw)))
}

function underpriced(step: SignedStep): WalletError {
  const { maxFeePerGas, maxPriorityFeePerGas } = leastOf(step)
  return new WalletError('underpriced', 'It pays too little to take the place of the one before.', {
    maxFeePerGas: String(maxFeePerGas),
    maxPriorityFeePerGas: String(maxPriorityFeePerGas),
  })
}

function alreadyMined({ nonce }: SignedStep): WalletError {
  return new WalletError('already-mined', `The number ${nonce} is used already.`, { nonce: String(nonce) })
}

function nothingWaits(): WalletError {
  return new WalletError('invalid-input', 'No transaction of it waits for the network.')
}

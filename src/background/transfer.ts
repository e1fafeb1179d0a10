import { transferData } from '../chain/erc20.ts'
import type { Call, CallsIntent, Simulation } from '../domain/calls.ts'
import { isNative } from '../domain/token.ts'
import { type MostToSend, mostOf, type TransferAsk, type TransferPreview } from '../domain/transfer.ts'
import { WalletError } from '../errors.ts'
import { costOf } from './cost.ts'
import { callGas, checkCoin } from './fees.ts'
import type { Networks } from './networks.ts'
import { tooLittle } from './plan.ts'
import type { TokenOf } from './tokenOf.ts'

type Parts = { networks: Pick<Networks, 'chain'>; tokenOf: TokenOf }

export type Transfers = ReturnType<typeof createTransfers>

/** The user's own transfers, before there is an intent. */
export function createTransfers({ networks, tokenOf }: Parts) {
  return {
    /** Throws `not-enough-balance`, `not-enough-gas`, and `would-fail` where the receiver or the token refuses. */
    async preview(ask: TransferAsk): Promise<TransferPreview> {
      const { chainId, account, token, to, amount, speed } = ask
      const chain = await networks.chain(chainId)
      const { balance, coin } = await chain.position(account, token, account)
      if (balance < amount) throw tooLittle(balance, amount)
      const call = transferCall(ask)
      const gas = await callGas(chain, account, call, false)
      const [cost, { simulation }] = await Promise.all([
        costOf(chain, [call], gas, speed),
        chain.simulate(account, [{ ...call, gas }], {
          tokenOf: (one) => tokenOf(chainId, one),
          tokens: [token],
          receiver: { holder: to, token },
        }),
        chain.verify(),
      ])
      checkCoin(coin, call.value, cost.networkFee)
      if (simulation.status === 'reverts') throw wouldFail(simulation.reason, simulation.facts)
      if (movesNothing(simulation, ask)) throw wouldFail('The token takes the call and moves nothing')
      const { arrived } = simulation.status === 'succeeds' ? simulation : {}
      return { ...cost, simulation, ...(arrived !== undefined && to !== account && { arrives: arrived }) }
    },

    async most(ask: Omit<TransferAsk, 'amount'>): Promise<MostToSend> {
      const { chainId, account, token, speed } = ask
      const chain = await networks.chain(chainId)
      const { balance } = await chain.position(account, token, account)
      const isCoin = isNative(token)
      const amount = isCoin && balance > 0n ? 1n : balance
      const call = transferCall({ ...ask, amount })
      const fees = await chain.fees(speed)
      const gas = await callGas(chain, account, call, false)
      const { networkFee, l1Fee } = await costOf(chain, [call], gas, fees)
      // L1 may be dearer by the time it is signed: a quarter is set aside for that.
      const aside = networkFee + (l1Fee + 3n) / 4n
      await chain.verify()
      return { amount: isCoin ? mostOf(balance, aside) : balance, networkFee: aside, speed: fees }
    },
  }
}

/** What the user agreed to, as the journal carries it out. */
export function transferIntent({
  id,
  feeCap,
  ...ask
}: TransferAsk & { id: string; feeCap: bigint }): CallsIntent {
  const { account, chainId, token, to, amount, speed } = ask
  return {
    id,
    account,
    chainId,
    calls: [transferCall(ask)],
    feeCap,
    mayFail: false,
    ...(speed !== undefined && { speed }),
    purpose: { kind: 'transfer', token, to, amount },
  }
}

function transferCall({ token, to, amount }: Pick<TransferAsk, 'token' | 'to' | 'amount'>): Call {
  if (isNative(token)) return { to, data: '0x', value: amount }
  return { to: token, data: transferData(to, amount), value: 0n }
}

/** There are tokens that say no without failing. */
function movesNothing(simulation: Simulation, { account, token, to }: TransferAsk): boolean {
  if (simulation.status !== 'succeeds' || to === account) return false
  return simulation.changes.every((change) => change.token.address !== token || change.amount >= 0n)
}

function wouldFail(reason: string, facts = {}): WalletError {
  return new WalletError('would-fail', `The transfer would fail: ${reason}.`, { ...facts, reason })
}

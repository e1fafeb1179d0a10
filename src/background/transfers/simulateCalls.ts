import type { Call, CallPreview } from '../../domain/activity/callBatch.ts'
import type { Simulation } from '../../domain/activity/simulation.ts'
import { splitOutcomes, toShown } from '../../domain/activity/worse.ts'
import { describeCall, type KnownContracts, knownOn } from '../../domain/calldata/describeCall.ts'
import type { Approval } from '../../domain/dapp/approval.ts'
import type { Risk } from '../../domain/dapp/risks/risk.ts'
import { uncheckedRisks } from '../../domain/dapp/risks/uncheckedRisks.ts'
import { assessedTip, warnFee } from '../../domain/network/feeLimits.ts'
import { expectedFeeAt } from '../../domain/network/networkFee.ts'
import { popularTokens } from '../../domain/token/pegGroups.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { wellKnownOn } from '../../domain/token/wellKnown.ts'
import { WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import { getL1Fee } from '../fees/cost.ts'
import { callGasLimit, expectedCallGas, feeCap, maxCallGas } from '../fees/fees.ts'
import { checkFeeLimits } from '../fees/limits.ts'
import { movedBy, worthInNative } from '../fees/moved.ts'
import type { Networks } from '../networks/networks.ts'
import type { CustomTokens } from '../tokens/customTokens.ts'
import { getFirstLimit } from './checkOutcome.ts'
import { readCallRisks } from './readCallRisks.ts'

/** If neither estimated nor requested. */
const usualGas = 500_000n

type Deps = {
  networks: Pick<Networks, 'chain' | 'network'>
  tokenOf(chainId: number, token: Address): Promise<Token>
  assets: Pick<CustomTokens, 'list'>
}

/** Previews a `send` request. */
export function createCallPreview({ networks, tokenOf, assets }: Deps) {
  return async ({ ask, chainId }: Approval): Promise<CallPreview> => {
    if (ask.kind !== 'send') throw new WalletError('invalid-input', 'This request sends nothing.')
    const { account, calls } = ask
    const [first, ...rest] = calls
    const chain = await networks.chain(chainId)
    const network = await networks.network(chainId)
    const known = knownOn(network, { account, chainId })
    // Only the first call meets the current state.
    const limit = first && (await getFirstLimit(chain, account, first))
    const tried = first && limit !== undefined ? [{ ...first, gas: limit }, ...rest] : calls
    const simulate = (calls: Call[]) =>
      chain.simulate(account, calls, { tokenOf: (token) => tokenOf(chainId, token) })
    const [{ simulation: whole, gas: used }, totals, feesOf, l1Fee, isPlain, added, most, votes, ofCode] =
      await Promise.all([
        simulate(tried),
        Promise.all(rest.map(async (_call, index) => (await simulate(tried.slice(0, index + 1))).simulation)),
        chain.feesBySpeed(),
        getL1Fee(chain, calls),
        movesCoinsAlone(chain, calls),
        assets.list(chainId),
        maxCallGas(chain),
        findListedVotes(calls, known, (token) => tokenOf(chainId, token)),
        findCodeless(chain, calls),
        chain.verify(),
      ])
    const later = rest.map((call, index) => laterLimit(call, used[index + 1], most))
    const limits = [limit ?? usualGas, ...later]
    const gas = limits.reduce((sum, limit) => sum + limit)
    const expectedGas = limits.reduce((sum, limit, at) => sum + toExpected(limit, calls[at], used[at]), 0n)
    const fees = feesOf('normal')
    const { maxFeePerGas, baseFeePerGas } = fees
    const tip = assessedTip(fees, chain.feeLimits)
    const networkFee = gas * maxFeePerGas + l1Fee
    const simulation = withParts(whole, totals)
    const named = [...added, ...wellKnownOn(chainId)].map(({ address }) => address)
    const listed = [...named, ...popularTokens(network)]
    const place = { ...known, listed: [...listed, ...votes], isPlain, network }
    const risks = await readCallRisks(chain, calls, place, simulation, totals)
    const fee = feeCap(networkFee)
    checkFeeLimits(chain.feeLimits, fee, tip)
    const amounts = movedBy(simulation)
    const moved = amounts && (await worthInNative(chain, amounts, network.wrapped))
    const doubt = warnFee({ fee, tip, baseFeePerGas, moved }, chain.feeLimits)
    const feeRisks: Risk[] = doubt ? [{ kind: 'fee', doubt: doubt.kind, fee: doubt.fee, isGrave: true }] : []
    return {
      simulation,
      networkFee,
      expectedFee: expectedFeeAt({ expectedGas, baseFeePerGas, l1Fee }, fees),
      feeCap: fee,
      risks: [...risks, ...ofCode, ...uncheckedRisks(calls, simulation, isPlain), ...feeRisks],
    }
  }
}

/** Simulations do not show delegated votes. */
async function findListedVotes(
  calls: Call[],
  known: KnownContracts,
  tokenOf: (token: Address) => Promise<Token>,
): Promise<Address[]> {
  const words = calls.map((call) => describeCall(call, known))
  const contracts = new Set(words.flatMap((each) => (each.kind === 'delegate' ? [each.contract] : [])))
  const tokens = [...contracts].map((contract) => tokenOf(contract).catch(() => undefined))
  return (await Promise.all(tokens)).flatMap((token) => (token?.listed ? [token.address] : []))
}

/** As far as simulated. */
function withParts(simulation: Simulation, totals: Simulation[]): Simulation {
  if (simulation.status !== 'succeeds' || totals.length === 0) return simulation
  const failed = totals.findIndex(({ status }) => status !== 'succeeds')
  const seen = failed < 0 ? totals : totals.slice(0, failed)
  return { ...simulation, parts: splitOutcomes(seen.flatMap((total) => toShown(total) ?? [])) }
}

/** In batches, earlier calls may create the contract. */
async function findCodeless(chain: Chain, [first, ...later]: Call[]): Promise<Risk[]> {
  const contract = first?.to?.toLowerCase() as Address | undefined
  if (later.length > 0 || contract === undefined || first?.data === '0x') return []
  const hasCode = await chain.isContract(contract).catch(() => true)
  return hasCode ? [] : [{ kind: 'no-code', contract, isGrave: false }]
}

async function movesCoinsAlone(chain: Chain, calls: Call[]): Promise<boolean> {
  if (!calls.every(({ data }) => data === '0x')) return false
  const found = await Promise.all(calls.map(({ to }) => to === undefined || chain.isContract(to)))
  return !found.includes(true)
}

/** A requested limit says nothing about the gas used. */
function toExpected(limit: bigint, call: Call | undefined, used: bigint | undefined): bigint {
  return used !== undefined && call?.gas === limit ? used : expectedCallGas(limit, used)
}

function laterLimit({ gas: asked }: Call, used: bigint | undefined, most: bigint): bigint {
  return used === undefined ? (asked ?? usualGas) : callGasLimit(used, most, asked)
}

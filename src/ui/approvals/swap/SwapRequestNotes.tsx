import type { SwapRequest } from '../../../domain/dapp/swapRequest.ts'
import { findLookalike } from '../../../domain/token/lookalike.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { effectiveSlippage } from '../../../state/swap/swapForm.ts'
import { Warning } from '../../components/alerts/Warning.tsx'
import { formatSymbol, shortAddress } from '../../format/address.ts'
import { formatInteger, formatPercent } from '../../format/numbers.ts'
import { useNetwork } from '../../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { Lookalike } from '../../tokens/Lookalikes.tsx'

/** Site's terms that the form does not show. `floor` is the resulting minReturn. */
export function SwapRequestNotes({ request, floor }: { request: SwapRequest; floor: bigint | undefined }) {
  const { trade, settings, tokens } = useStores()
  const list = useStore(tokens, (state) => state.tokens)
  const form = useStore(trade, (state) => state)
  const { sell, buy } = form
  const chosenBps = effectiveSlippage(
    form,
    useStore(settings, (state) => state.settings),
  )
  const wantedAddress = request.type === 'sell' ? request.pairToken : request.token
  const bought = buy?.address === wantedAddress ? buy : undefined
  const { type, amount, slippageBps } = request
  const write = (units: bigint, token: Token) =>
    `${formatInteger(units, token.decimals)} ${formatSymbol(token)}`
  const says = [
    type === 'buy' && amount !== undefined && bought
      ? t(
          floor === undefined
            ? 'The site wants you to receive {amount}.'
            : 'The site wants you to receive {amount}. You receive at least this amount, regardless of slippage.',
          { amount: write(amount, bought) },
        )
      : undefined,
    type === 'sell' && floor !== undefined && bought
      ? t('The site requires at least {amount}, regardless of slippage.', { amount: write(floor, bought) })
      : undefined,
    slippageBps !== undefined && slippageBps < chosenBps
      ? t('The site limits max slippage to {percent}.', { percent: formatPercent(slippageBps) })
      : undefined,
  ].filter((one) => one !== undefined)
  return (
    <>
      {[sell, buy].map(
        (token) => token && <Doubt key={token.address} token={token} chainId={request.chainId} list={list} />,
      )}
      {says.length > 0 && (
        <ul class="says panel">
          {says.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Checked like imported tokens, since the site chose them. */
function Doubt({ token, chainId, list }: { token: Token; chainId: number; list: Token[] }) {
  const network = useNetwork(chainId) ?? { chainId }
  const original = findLookalike(token, list, network)
  const symbol = formatSymbol(token)
  if (original !== undefined) return <Lookalike token={token} original={original} />
  if (token.listed) return null
  return (
    <Warning>
      {t('{symbol} ({address}) isn’t on Sluice’s token list. Anyone can create a token with any name.', {
        symbol,
        address: shortAddress(token.address),
      })}
    </Warning>
  )
}

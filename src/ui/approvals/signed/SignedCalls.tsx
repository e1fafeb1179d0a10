import { size } from 'viem'
import type { AccountCalls } from '../../../domain/signing/description.ts'
import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Row } from '../../components/Row.tsx'
import { formatBytes } from '../../format/bytes.ts'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { useTokenLookup } from '../../tokens/useTokens.ts'
import { CallCard, CallList } from '../send/CallCard.tsx'
import { type CallView, toCallView } from '../send/callView.ts'
import { AddressRow, type SignedProps, Until } from './AddressRow.tsx'
import { useCallWords } from './useCallWords.ts'

/** Calls executed for the account, or for its smart account. */
export function SignedCalls({
  calls,
  chainId,
  account,
  now,
  tokenOf,
  isNew,
}: SignedProps & { calls: AccountCalls; isNew(address: Address): boolean }) {
  const { sender, standard, fee, until, isDelegate, data } = calls
  const words = useCallWords(calls, chainId)
  const views = words.map((one) => named(toCallView(one, sender), sender, account))
  const callTokenOf = useTokenLookup(
    chainId,
    views.flatMap(({ sides }) => sides.map(({ address }) => address)),
  )
  const [only] = views.length === 1 ? views : []
  return (
    <>
      {only && <h2 class="part">{only.title}</h2>}
      {only ? (
        <CallCard view={only} tokenOf={callTokenOf} chainId={chainId} isNew={isNew} />
      ) : (
        views.length > 1 && <CallList views={views} tokenOf={callTokenOf} chainId={chainId} isNew={isNew} />
      )}
      <dl class="rows panel rows-wrap">
        <Row name={t('Standard')}>{standard}</Row>
        <AddressRow name={t('On behalf of')} address={sender} account={account} />
        {isDelegate && (
          <Row name={t('Execution')}>
            <span class="bad">{t('Code with full control (DELEGATECALL)')}</span>
          </Row>
        )}
        {views.length === 0 && <Row name={t('Data')}>{formatBytes(size(data))}</Row>}
        {fee && (
          <Row name={standard === 'ERC-4337' ? t('Max network fee') : t('Additional fee')}>
            <TokenAmount amount={fee.amount} address={fee.token} token={tokenOf(fee.token)} />
          </Row>
        )}
        {until !== undefined && (
          <Row name={t('Signature validity')}>
            <Until until={until} now={now} />
          </Row>
        )}
      </dl>
    </>
  )
}

/** "This account" is the sender, which may differ from the signer. */
function named(view: CallView, sender: AccountCalls['sender'], account: string): CallView {
  if (sender === account) return view
  const own = t('This account')
  return {
    ...view,
    facts: view.facts.map((fact) =>
      'text' in fact && fact.text === own ? { name: fact.name, address: sender } : fact,
    ),
  }
}

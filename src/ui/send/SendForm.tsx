import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isOwnActivity } from '../../domain/activity/incoming.ts'
import { pastRecipients } from '../../domain/address/recipientWarnings.ts'
import { formatExact, parseAmount } from '../../domain/token/amount.ts'
import { isNative } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { canSign } from '../../state/account.ts'
import type { Send } from '../../state/send/send.ts'
import { Warning } from '../components/alerts/Warning.tsx'
import { AmountPanel } from '../components/fields/AmountPanel.tsx'
import { Page } from '../components/Page.tsx'
import { decimalMark, formatAmount } from '../format/numbers.ts'
import { useActivity } from '../hooks/data/useActivity.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useId } from '../hooks/useId.ts'
import { lazy } from '../lazy/lazy.tsx'
import { useRecipientWords } from '../messages/useRecipientNotices.ts'
import { NetworkErrorBanner } from '../networks/NetworkErrorBanner.tsx'
import type { ScreenProps } from '../screenProps.ts'
import { CurrencyToggle } from '../swap/CurrencyToggle.tsx'
import { useCurrencyEntry } from '../swap/useCurrencyEntry.ts'
import { Lookalikes } from '../tokens/Lookalikes.tsx'
import { sendAction, validateSend } from './primaryAction.ts'
import { RecipientField } from './RecipientField.tsx'

const TokenPicker = lazy(() =>
  import('../tokens/picker/TokenPicker.tsx').then(({ TokenPicker }) => TokenPicker),
)

type Props = Pick<ScreenProps, 'account' | 'accounts' | 'network'> & { send: Send }

export function SendForm({ account, accounts, network, send }: Props) {
  const { tokens, router } = useStores()
  const form = useStore(send, (state) => state)
  const { balances, balanceError } = useStore(tokens, (state) => state)
  const id = useId()
  const [isChoosing, setChoosing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // May be filled after a visit to the contacts.
  useEffect(() => {
    if (form.text === '' && !form.isMost) field.current?.focus()
  }, [])
  const { token, recipient } = form
  const entries = useActivity((state) => state.entries)
  const earlier = useMemo(() => entries && pastRecipients(entries.filter(isOwnActivity)), [entries])
  const words = useRecipientWords(
    recipient.kind === 'known' && token
      ? {
          to: recipient.address,
          token,
          account: account.address,
          // Assumed until the RPC answers; the review waits for it.
          facts: { isContract: recipient.isContract ?? false, earlier },
        }
      : undefined,
  )
  const balance = token && balances[token.address]
  const act = sendAction({ network, account, form, balances, balanceError })
  const most = form.isMost && token ? (isNative(token.address) ? form.most?.amount : balance) : undefined
  const reserved = form.isMost ? form.most?.networkFee : undefined
  const mark = decimalMark()
  const [hasFocus, setFocus] = useState(false)
  const shownText = form.isMost
    ? token && most !== undefined
      ? formatExact(most, token.decimals, mark)
      : ''
    : form.text
  const entry = useCurrencyEntry(
    { chainId: network.chainId, token, text: shownText, isTyped: true, setText: send.setText },
    hasFocus,
  )
  const money = entry?.isOn ? entry : undefined
  const typed = token && parseAmount(form.text, token.decimals, mark)
  const amount = form.isMost ? most : typeof typed === 'bigint' ? typed : undefined
  return (
    <Page
      title={t('Send')}
      onBack={() => {
        send.close()
        router.back()
      }}
      beside={<span class="chip page-place clip">{network.name}</span>}
      foot={
        <button type="submit" form={id} class="main" disabled={act.does === undefined}>
          {act.label}
        </button>
      }
    >
      <form
        id={id}
        class="send-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (act.does === 'review') send.prepare(act.plan)
          if (act.does === 'set-up') router.go('network', String(network.chainId))
        }}
      >
        <NetworkErrorBanner network={network} />
        {!canSign(account) && (
          <Warning>
            {t('This is a watch-only account. Its key isn’t in this wallet, so you can’t send from it.')}
          </Warning>
        )}
        <AmountPanel
          id="send-amount"
          label={t('You send')}
          typed={money ? money.text : form.isMost ? undefined : form.text}
          follows={most}
          currency={money?.unit}
          value={
            entry &&
            token && (
              <CurrencyToggle
                entry={entry}
                amount={amount}
                token={token}
                onTurn={() => {
                  entry.turn(!entry.isOn)
                  field.current?.focus()
                }}
              />
            )
          }
          isWaiting={form.isMost && most === undefined}
          isOld={false}
          fault={money?.fault ?? validateSend(form, mark)}
          hint={
            reserved === undefined
              ? undefined
              : t('{amount} reserved for fees', { amount: formatAmount(reserved, 18) })
          }
          field={field}
          onFocusChange={setFocus}
          onInput={(text) => (money ? money.onInput(text) : send.setText(text))}
          token={token}
          balance={balance}
          chooseLabel={t('Token to send')}
          onChoose={() => setChoosing(true)}
          head={
            <div class="shares">
              <button
                type="button"
                class="chip"
                aria-label={t('Send max')}
                aria-pressed={form.isMost}
                disabled={!balance}
                onClick={send.setMost}
              >
                {t('Max')}
              </button>
            </div>
          }
        />
        <Lookalikes chainId={network.chainId} tokens={[token]} />
        <RecipientField
          text={form.to}
          recipient={recipient}
          account={account.address}
          accounts={accounts}
          earlier={earlier}
          words={words}
          onInput={send.setTo}
          onContacts={() => router.go('contacts')}
        />
      </form>
      {isChoosing && (
        <TokenPicker
          title={t('Token to send')}
          chosen={token}
          onChoose={send.setToken}
          onClose={() => setChoosing(false)}
        />
      )}
    </Page>
  )
}

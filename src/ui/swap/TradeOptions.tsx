import { useState } from 'preact/hooks'
import { addressIn } from '../../domain/address/typedAddress.ts'
import type { Network } from '../../domain/network/network.ts'
import { getSwapSource } from '../../domain/network/swapSource.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { Alert } from '../components/alerts/Alert.tsx'
import { Field } from '../components/fields/Field.tsx'
import { Switch } from '../components/fields/Switch.tsx'
import { Icon } from '../components/Icon.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { formatSource } from '../format/address.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { validateAddress } from '../messages/errors/validation.ts'

type Props = { network: Network; account: Address; onSettings: (() => void) | undefined; onClose(): void }

const unnamed = defineMessage('Enter a recipient address, or turn this off.')

/** Options of this swap only. */
export function TradeOptions({ network, account, onSettings, onClose }: Props) {
  const { trade } = useStores()
  const { chainId, receiver, excluded, allowPartialFill, sell, buy, source } = useStore(
    trade,
    (state) => state,
  )
  const isDirect = getSwapSource(network, source) === 'direct'
  const [isAway, setAway] = useState(receiver !== undefined)
  const [text, setText] = useState(receiver ?? '')
  const parsed = parseRecipient(text, account, [sell, buy], chainId)
  const [isWarned, setWarned] = useState(false)
  const fault = typeof parsed === 'string' ? undefined : parsed.fault || (isWarned ? t(unnamed) : undefined)
  const write = (typed: string) => {
    setText(typed)
    const read = parseRecipient(typed, account, [sell, buy], chainId)
    trade.setReceiver(typeof read === 'string' ? read : undefined)
  }
  const toggleRecipient = (isOn: boolean) => {
    setAway(isOn)
    write('')
  }
  // Without a valid address the swap pays this account: warn first.
  const close = () => {
    if (isAway && typeof parsed !== 'string' && !isWarned) setWarned(true)
    else onClose()
  }
  return (
    <Sheet title={t('Swap settings')} onClose={close}>
      <div class="panel group">
        <Switch
          label={t('Send to a different address')}
          hint={t('When off, tokens go to this account.')}
          isOn={isAway}
          onChange={toggleRecipient}
        />
        {isAway && (
          <div class="group-field">
            <Field
              label={t('Recipient address')}
              placeholder="0x…"
              autocomplete="off"
              isFirst
              value={text}
              onInput={write}
              fault={fault}
            />
            <Alert what={t('The tokens you buy go to another address. This can’t be undone.')}>
              {receiver && <AddressGroups address={receiver} />}
              {isWarned && receiver === undefined && (
                <p>{t('If you close now, the tokens go to this account instead.')}</p>
              )}
            </Alert>
          </div>
        )}
        {isDirect || (
          <Switch
            label={t('Allow partial fill')}
            hint={t('Any part that can’t be sold at the quoted price stays in your wallet.')}
            isOn={allowPartialFill}
            onChange={trade.setPartialFill}
          />
        )}
      </div>
      {excluded.length > 0 && !isDirect && (
        <>
          <h3 class="part">{t('Excluded from this swap')}</h3>
          <ul class="panel group">
            {excluded.map((name) => (
              <li key={name} class="list-row">
                <span class="grow">{formatSource(name)}</span>
                <button
                  type="button"
                  class="link"
                  aria-label={t('Include {source}', { source: formatSource(name) })}
                  onClick={() => trade.setExcluded(excluded.filter((one) => one !== name))}
                >
                  {t('Include')}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {onSettings && !isDirect && (
        <button type="button" class="list-row" onClick={onSettings}>
          <span class="grow">{t('Routing on {network}', { network: network.name })}</span>
          <Icon name="next" size={18} />
        </button>
      )}
    </Sheet>
  )
}

const nobody = /^0x0{40}$/

/** Returns the recipient, or an error text. */
export function parseRecipient(
  text: string,
  account: Address,
  pair: (Token | undefined)[],
  chainId?: number,
): Address | { fault: string } {
  const address = addressIn(text, chainId)
  const fault = validateAddress(text, chainId)
  if (address === undefined || fault !== undefined) return { fault: fault ?? '' }
  if (address === account) return { fault: t('This account already receives the tokens.') }
  if (nobody.test(address)) return { fault: t('This is the zero address. No one controls it.') }
  if (pair.some((token) => token?.address === address))
    return { fault: t('This is the token’s contract address.') }
  return address
}

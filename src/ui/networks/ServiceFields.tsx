import { useState } from 'preact/hooks'
import { findPublicChain } from '../../domain/network/chains.ts'
import { isSameOrigin } from '../../domain/network/networkTexts.ts'
import { findSwapService } from '../../domain/network/swapServices.ts'
import { t } from '../../i18n/translate.ts'
import { PasswordField } from '../components/fields/PasswordField.tsx'
import { type NetworkFieldsProps, UrlField } from './NetworkFields.tsx'

/** The key's field appears with a URL. The public service is contacted once saved, its portal by a click. */
export function ServiceFields({ network, ...form }: NetworkFieldsProps) {
  const { texts, edit } = form
  const [isPresetTaken, setPresetTaken] = useState(false)
  const url = texts.serviceUrl.trim()
  const preset = findSwapService(network.chainId)
  const isPreset = preset !== undefined && isSameOrigin(url, preset.url)
  return (
    <>
      <UrlField
        {...form}
        name="serviceUrl"
        label={t('Swap service (optional)')}
        hint={
          isPreset
            ? t('{name} sees your IP address, your account and what you swap.', { name: preset.name })
            : url === '' && findPublicChain(network.chainId)?.uniswap
              ? t('Without one, Sluice swaps in Uniswap pools through your RPC.')
              : undefined
        }
      />
      {preset && url === '' && (
        <button
          type="button"
          class="link service-preset"
          onClick={() => {
            edit('serviceUrl')(preset.url)
            setPresetTaken(true)
          }}
        >
          {t('Use {name}', { name: preset.name })}
        </button>
      )}
      {url !== '' && (
        <PasswordField
          label={t('API key')}
          autocomplete="off"
          value={texts.serviceKey}
          onInput={edit('serviceKey')}
          isFirst={isPresetTaken}
        />
      )}
      {isPreset && (
        <a class="link service-preset service-key" href={preset.keyUrl} target="_blank" rel="noreferrer">
          {t('Get a key')}
        </a>
      )}
    </>
  )
}

import { useState } from 'preact/hooks'
import type { Settings } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorNote } from '../components/ErrorMessage.tsx'
import { Switch } from '../components/Switch.tsx'
import { formatPercent } from '../format/numbers.ts'
import { useMutation } from '../hooks/useMutation.ts'
import { useStores } from '../hooks/useStore.ts'
import { KeyHelp } from '../swap/ShortcutsSheet.tsx'
import { SlippageSheet } from '../swap/SlippageSheet.tsx'
import { SettingSwitch } from './SettingSwitch.tsx'
import { StrictNote, StrictSheet } from './StrictChecksSheet.tsx'

/** What holds for every swap. */
export function SwapSettings({
  settings,
  children,
}: {
  settings: Settings
  children?: preact.ComponentChildren
}) {
  const stores = useStores()
  const [shows, setShows] = useState<'slippage' | 'strict' | 'keys' | undefined>()
  const save = useMutation(stores.settings.save)
  const { slippageBps, strictCalldata } = settings
  const done = () => setShows(undefined)
  return (
    <>
      <div class="panel group">
        <button type="button" class="list-row" aria-haspopup="dialog" onClick={() => setShows('slippage')}>
          <span class="grow">{t('Default slippage')}</span>
          <span class="num dim">{slippageBps === undefined ? t('Auto') : formatPercent(slippageBps)}</span>
        </button>
        {children}
        <Switch
          label={t('Only the router’s general entry point')}
          hint={t('Strict: it names token, amount, receiver and floor, and the wallet reads them all.')}
          isOn={strictCalldata}
          onTurn={(isOn) => (isOn ? save.run({ strictCalldata: true }) : setShows('strict'))}
        />
        {strictCalldata || (
          <div class="group-field">
            <StrictNote />
          </div>
        )}
        <SettingSwitch
          name="accessLists"
          settings={settings}
          label={t('Ask for access lists')}
          hint={t('They are sent along where they make a swap cheaper.')}
        />
        <button type="button" class="list-row" aria-haspopup="dialog" onClick={() => setShows('keys')}>
          <span class="grow">{t('Keyboard shortcuts')}</span>
          <kbd class="key">?</kbd>
        </button>
      </div>
      {save.error && <ErrorNote error={save.error} />}
      {shows === 'slippage' && (
        <SlippageSheet
          title={t('Default slippage')}
          isDefault
          value={slippageBps}
          onChoose={(bps) => save.run({ slippageBps: bps ?? null })}
          onClose={done}
        />
      )}
      {shows === 'strict' && <StrictSheet onClose={done} />}
      {shows === 'keys' && <KeyHelp onClose={done} />}
    </>
  )
}

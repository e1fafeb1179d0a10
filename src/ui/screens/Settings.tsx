import { useState } from 'preact/hooks'
import type { Settings as Values } from '../../domain/network.ts'
import { formatPercent } from '../numbers.ts'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Field } from '../parts/Field.tsx'
import { Icon } from '../parts/Icon.tsx'
import { NetworkForm } from '../parts/NetworkForm.tsx'
import { Page } from '../parts/Page.tsx'
import { SlippageSheet } from '../parts/SlippageSheet.tsx'
import { Switch } from '../parts/Switch.tsx'
import { useStores, useTask } from '../use.ts'
import { Reveal } from './Reveal.tsx'
import { Sites } from './Sites.tsx'

type Props = { chainId?: number; settings: Values; backedUp: boolean; onBack(): void }

/** Everything the user may change. `chainId` opens that network's part at once. */
export function Settings({ chainId, settings, backedUp, onBack }: Props) {
  const stores = useStores()
  const [shows, setShows] = useState<'slippage' | 'phrase' | 'sites' | undefined>()
  const save = useTask(stores.settings.save)
  if (shows === 'phrase') return <Reveal backedUp={backedUp} onBack={() => setShows(undefined)} />
  if (shows === 'sites') return <Sites onBack={() => setShows(undefined)} />
  return (
    <Page title="Settings" onBack={onBack}>
      <h2 class="part">Swapping</h2>
      <div class="panel group">
        <button type="button" class="list-row" aria-haspopup="dialog" onClick={() => setShows('slippage')}>
          <span class="grow">Default slippage</span>
          <span class="num dim">{formatPercent(settings.slippageBps)}</span>
        </button>
      </div>
      {save.error && <ErrorNote error={save.error} />}

      <h2 class="part">Sites</h2>
      <div class="panel group">
        <button type="button" class="list-row" onClick={() => setShows('sites')}>
          <span class="grow">Connected sites</span>
          <Icon name="next" size={18} />
        </button>
        <Switch
          label="Sites may ask for swaps"
          isOn={settings.pageSwaps}
          onTurn={(pageSwaps) => save.run({ pageSwaps })}
        />
        <Switch
          label="Show Sluice as window.ethereum"
          hint="Only old sites need this: others find it by EIP-6963. Reload their pages afterwards."
          isOn={settings.defaultWallet}
          onTurn={(defaultWallet) => save.run({ defaultWallet })}
        />
      </div>

      <h2 class="part">Safety</h2>
      <div class="panel group">
        <AutoLock minutes={settings.autoLockMinutes} />
        <button type="button" class="list-row" onClick={() => setShows('phrase')}>
          <span class="grow">Recovery phrase</span>
          <span class={backedUp ? 'dim' : 'warn'}>{backedUp ? 'Written down' : 'Not written down'}</span>
        </button>
        <button type="button" class="list-row" onClick={() => stores.account.lock()}>
          <span class="grow">Lock now</span>
          <Icon name="lock" size={18} />
        </button>
      </div>

      <h2 class="part">Networks</h2>
      <div class="panel group">
        {settings.networks.map((network) => (
          <details key={network.chainId} open={network.chainId === chainId}>
            <summary class="list-row">
              <span class="grow">{network.name}</span>
              <span class="dim small">{network.serviceUrl && network.rpcUrl ? 'Ready' : 'Not set up'}</span>
            </summary>
            <NetworkForm network={network} />
          </details>
        ))}
      </div>
      {shows === 'slippage' && (
        <SlippageSheet
          title="Default slippage"
          value={settings.slippageBps}
          onChoose={(slippageBps) => save.run({ slippageBps })}
          onClose={() => setShows(undefined)}
        />
      )}
    </Page>
  )
}

const longestMinutes = 60
const range = `A whole number from 1 to ${longestMinutes}.`

function AutoLock({ minutes }: { minutes: number }) {
  const { settings } = useStores()
  const [text, setText] = useState(String(minutes))
  const typed = /^\d+$/.test(text.trim()) ? Number(text) : 0
  const isValid = typed >= 1 && typed <= longestMinutes
  const save = useTask(settings.save)
  const keep = () => {
    if (isValid && typed !== minutes) save.run({ autoLockMinutes: typed })
  }
  return (
    <div class="group-field beside">
      <Field
        label="Minutes until it locks itself"
        inputMode="numeric"
        autocomplete="off"
        value={text}
        onInput={setText}
        onChange={keep}
        fault={isValid ? undefined : range}
        hint={range}
      />
      {save.error && (
        <ErrorNote error={save.error}>
          <button type="button" class="link" onClick={keep}>
            Try again
          </button>
        </ErrorNote>
      )}
    </div>
  )
}

import { render } from 'preact'
import { freezePrototypes } from '../../src/domain/freezePrototypes.ts'
import { connect, listen } from '../../src/messaging.ts'
import type { WalletApi, WalletEvents } from '../../src/protocol.ts'
import { systemClock } from '../../src/state/clock.ts'
import { createReloadOnLock } from '../../src/state/reloadOnLock.ts'
import { createStores } from '../../src/state/stores.ts'
import { App, prepare } from '../../src/ui/App.tsx'
import { createDisplay } from '../../src/ui/display.ts'
import { clearErrorLog } from '../../src/ui/errorLog.ts'
import { decimalMark } from '../../src/ui/format/numbers.ts'
import { createHistory } from '../../src/ui/history.ts'
import { measureScrollbar } from '../../src/ui/scrollbar.ts'
import { createAround } from './browserApi.ts'
import { lazyKeys } from './keys.ts'

freezePrototypes()

// Early: the worker answers during startup.
const wallet = connect<WalletApi>('wallet', ['status', 'settings', 'approvals'])
const memory = () => localStorage
const display = createDisplay(memory)
measureScrollbar()
await display.ready
const stores = createStores(wallet, {
  keys: lazyKeys(),
  clock: systemClock(),
  decimalMark: decimalMark(),
  // URL of the approval window.
  purpose: location.hash === '#requests' ? 'requests' : 'form',
  browserApi: createAround(createHistory(memory)),
})
listen<WalletEvents>('events', stores.events)
prepare(stores)
stores.account.subscribe(
  createReloadOnLock(
    (later) =>
      import('../../src/ui/secrets/secretClipboard.ts').then(({ clearClipboard: emptyNow }) =>
        emptyNow(later),
      ),
    (isForgotten) => {
      if (isForgotten) {
        clearErrorLog()
        if (stores.purpose === 'form') stores.router.replace('overview')
      }
      location.reload()
    },
  ),
)

// The static frame stays until the first render.
await stores.load()
const app = document.getElementById('app')

async function show(): Promise<void> {
  if (await display.follow(stores.settings.getState())) {
    stores.trade.setDecimalMark(decimalMark())
    sayNotices()
  }
  if (app) render(<App stores={stores} />, app)
}

function sayNotices(): void {
  if (stores.settings.getState().settings?.notices) {
    import('../../src/ui/notifications.ts')
      .then(({ syncNotifications: keepNotices }) => keepNotices(stores.settings))
      .catch(() => undefined)
  }
}

await show()
sayNotices()
stores.settings.subscribe(show)

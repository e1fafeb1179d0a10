import { useState } from 'preact/hooks'
import type { Account } from '../../protocol.ts'
import { currentNetwork } from '../../state/settings.ts'
import { later } from '../later.tsx'
import { Retry } from '../parts/Retry.tsx'
import { use, useStores } from '../use.ts'
import { Swap } from './Swap.tsx'

const Review = later(() => import('./afterForm.ts').then(({ Review }) => Review))
const Progress = later(() => import('./afterForm.ts').then(({ Progress }) => Progress))
const Settings = later(() => import('./Settings.tsx').then(({ Settings }) => Settings))

type Props = { accounts: Account[]; account: Account; backedUp: boolean }

/** What an open wallet shows: the form, the settings, or a swap on its way. */
export function Home({ accounts, account, backedUp }: Props) {
  const stores = useStores()
  const stage = use(stores.swap, (state) => state.stage)
  const { settings, error } = use(stores.settings, (state) => state)
  const network = use(stores.settings, currentNetwork)
  const [place, setPlace] = useState<{ chainId?: number } | undefined>()

  if (settings === undefined || network === undefined) {
    return <Retry error={error} onRetry={stores.load} />
  }
  if (stage.at === 'progress') return <Progress key={stage.id} id={stage.id} />
  if (stage.at !== 'form') {
    // Another window may have chosen another account meanwhile.
    const acting = accounts.find(({ address }) => address === stage.plan.account) ?? account
    return <Review stage={stage} account={acting} />
  }
  if (place !== undefined) {
    return <Settings {...place} settings={settings} backedUp={backedUp} onBack={() => setPlace(undefined)} />
  }
  const go = (chainId?: number) => setPlace(chainId === undefined ? {} : { chainId })
  return <Swap account={account} backedUp={backedUp} network={network} settings={settings} onSettings={go} />
}

import { defineMessage, t } from '../../i18n/translate.ts'
import { routeHref, type Tab, tabs } from '../../state/router.ts'
import { Icon, type IconName } from '../components/Icon.tsx'
import { useStores } from '../hooks/data/useStore.ts'

const looks: Record<Tab, { name: string; icon: IconName }> = {
  overview: { name: defineMessage('Wallet'), icon: 'wallet' },
  swap: { name: defineMessage('Swap'), icon: 'flip' },
  activity: { name: defineMessage('Activity'), icon: 'clock' },
}

/** Links, so that tabs can open in browser tabs. */
export function TabBar({ open }: { open: Tab | undefined }) {
  const { router } = useStores()
  return (
    <nav class="tabs" aria-label={t('Main navigation')}>
      {tabs.map((tab) => (
        <a
          key={tab}
          href={routeHref({ at: tab })}
          aria-current={tab === open ? 'page' : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            if (tab !== open) router.go(tab)
          }}
        >
          <Icon name={looks[tab].icon} />
          {t(looks[tab].name)}
        </a>
      ))}
    </nav>
  )
}

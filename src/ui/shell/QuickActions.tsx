import { defineMessage, t } from '../../i18n/translate.ts'
import { Icon } from '../components/Icon.tsx'

type Props = Record<'onSend' | 'onReceive' | 'onSwap', () => void>

const actions = [
  { act: 'onSend', icon: 'send', label: defineMessage('Send') },
  { act: 'onReceive', icon: 'receive', label: defineMessage('Receive') },
  { act: 'onSwap', icon: 'flip', label: defineMessage('Swap') },
] as const

export function QuickActions(acts: Props) {
  return (
    <div class="quick">
      {actions.map(({ act, icon, label }) => (
        <button key={act} type="button" class="quick-action" onClick={acts[act]}>
          <span class="quick-icon">
            <Icon name={icon} />
          </span>
          {t(label)}
        </button>
      ))}
    </div>
  )
}

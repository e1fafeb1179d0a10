import type { Todo } from './ConfirmButton.tsx'

/** Returns a step that leads to the first element matching `selector`. */
export function leadTo(label: string, selector: string): Todo {
  const find = () => document.querySelector<HTMLElement>(selector)
  return {
    label,
    onFocus: () => find()?.scrollIntoView({ block: 'nearest' }),
    onPress() {
      const place = find()
      place?.scrollIntoView({ block: 'nearest' })
      place?.querySelector('input')?.focus({ preventScroll: true })
    },
  }
}

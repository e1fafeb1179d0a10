import { useState } from 'preact/hooks'
import type { Settings } from '../../domain/network/network.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Switch } from '../components/fields/Switch.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'

/** Boolean settings. */
type Name = { [Key in keyof Settings]-?: Settings[Key] extends boolean ? Key : never }[keyof Settings]
type Props = { name: Name; settings: Settings; label: string; hint?: string }

export function SettingSwitch({ name, settings, ...words }: Props) {
  const stores = useStores()
  const [wanted, setWanted] = useState(false)
  const save = useMutation((isOn: boolean) => stores.settings.save({ [name]: isOn }))
  const change = (isOn: boolean) => {
    setWanted(isOn)
    save.run(isOn)
  }
  return (
    <>
      <Switch {...words} isOn={save.isRunning ? wanted : settings[name]} onChange={change} />
      {save.error && <ErrorMessage error={save.error} />}
    </>
  )
}

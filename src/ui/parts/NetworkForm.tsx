import { useState } from 'preact/hooks'
import type { Network } from '../../domain/network.ts'
import { faultOfUrl } from '../urls.ts'
import { useStores, useTask } from '../use.ts'
import { ErrorNote } from './ErrorNote.tsx'
import { Field } from './Field.tsx'

/** Whom a network asks: nothing is asked of any host that is not written here. */
export function NetworkForm({ network }: { network: Network }) {
  const { settings } = useStores()
  const [serviceUrl, setServiceUrl] = useState(network.serviceUrl)
  const [serviceKey, setServiceKey] = useState(network.serviceKey ?? '')
  const [rpcUrl, setRpcUrl] = useState(network.rpcUrl)
  const [saved, setSaved] = useState(false)
  const serviceFault = faultOfUrl(serviceUrl)
  const rpcFault = faultOfUrl(rpcUrl)

  const save = useTask(async () => {
    const { serviceKey: _, ...rest } = network
    const key = serviceKey.trim()
    await settings.saveNetwork({
      ...rest,
      serviceUrl: serviceUrl.trim(),
      rpcUrl: rpcUrl.trim(),
      ...(key === '' ? {} : { serviceKey: key }),
    })
    setSaved(true)
  })
  const edit = (set: (text: string) => void) => (text: string) => {
    set(text)
    setSaved(false)
  }
  return (
    <form
      class="stack group-field"
      aria-label={network.name}
      onSubmit={(event) => {
        event.preventDefault()
        if (serviceFault === undefined && rpcFault === undefined) save.run()
      }}
    >
      <Field
        label="Swap service URL"
        inputMode="url"
        placeholder="https://"
        autocomplete="off"
        value={serviceUrl}
        onInput={edit(setServiceUrl)}
        fault={serviceFault}
      />
      <Field
        label="Service key, if it needs one"
        type="password"
        autocomplete="off"
        value={serviceKey}
        onInput={edit(setServiceKey)}
      />
      <Field
        label="RPC URL"
        inputMode="url"
        placeholder="https://"
        autocomplete="off"
        value={rpcUrl}
        onInput={edit(setRpcUrl)}
        fault={rpcFault}
      />
      {save.error && <ErrorNote error={save.error} />}
      <button
        class="second"
        type="submit"
        disabled={serviceFault !== undefined || rpcFault !== undefined || save.isRunning}
      >
        {saved ? 'Saved' : 'Save'}
      </button>
    </form>
  )
}

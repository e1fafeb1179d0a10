import { useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { editNetwork, toFormValues } from '../../domain/network/networkTexts.ts'
import { t } from '../../i18n/translate.ts'
import { addNetwork, findChain } from '../../state/networks/networkChanges.ts'
import { newNetwork } from '../../state/networks/networkForm.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { useUnsavedEdits } from '../hooks/data/useUnsavedEdits.ts'
import { validateNode } from '../messages/network.ts'
import { AdvancedFields } from './AdvancedFields.tsx'
import { NameFields, RpcField } from './NetworkFields.tsx'
import { ServiceFields } from './ServiceFields.tsx'
import { useNetworkEdits } from './useNetworkEdits.ts'
import { validateNetwork } from './validateNetwork.ts'

/** Adds a network, whose RPC reports the chain id. */
export function NewNetwork({ known }: { known: Network[] }) {
  const stores = useStores()
  const { settings, router } = stores
  const { edits, edit, drop } = useUnsavedEdits<{ rpcUrl: string; found: { url: string; chainId: number } }>(
    'network-new',
  )
  const { rpcUrl = '', found } = edits
  // The field may have changed since.
  const [heard, setAnswer] = useState<{ url: string; chainId?: number } | undefined>()
  const answer = heard ?? found
  const url = rpcUrl.trim()
  const ask = useMutation(async () => {
    setAnswer({ url })
    const chainId = await findChain(settings, url)
    if (chainId === undefined) return
    setAnswer({ url, chainId })
    edit({ found: { url, chainId } })
  })
  // The network's screen shows what its RPC can do.
  const leave = (chainId: number) => {
    drop(edits)
    router.replace('network', String(chainId))
  }
  const isOfThis = answer?.url === url
  const chainId = isOfThis ? answer.chainId : undefined
  const blank = { ...toFormValues(newNetwork(0, '')), rpcUrl }
  const typed = validateNetwork(blank)
  const node = isOfThis && ask.error ? validateNode(ask.error) : undefined
  const faults = { rpcUrl: typed.rpcUrl ?? node?.says }
  const there = known.find((one) => one.chainId === chainId)
  return (
    <>
      <form
        class="stack network-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (url && !typed.rpcUrl) ask.run()
        }}
      >
        <RpcField texts={blank} faults={faults} edit={() => (url) => edit({ rpcUrl: String(url) })} />
        {isOfThis && ask.error && !node && <ErrorMessage error={ask.error} />}
        {chainId === undefined && (
          <button type="submit" class="main" disabled={!url || typed.rpcUrl !== undefined || ask.isRunning}>
            {ask.isRunning ? t('Checking…') : t('Continue')}
          </button>
        )}
      </form>
      {there && (
        <>
          <Warning>
            {t('You already have this network: {name} (chain ID {chainId}).', {
              chainId: String(there.chainId),
              name: there.name,
            })}
          </Warning>
          <button type="button" class="second" onClick={() => router.go('network', String(there.chainId))}>
            {t('Open {name}', { name: there.name })}
          </button>
        </>
      )}
      {chainId !== undefined && !there && (
        <Rest key={chainId} chainId={chainId} rpcUrl={url} known={known} onAdded={() => leave(chainId)} />
      )}
    </>
  )
}

type RestProps = { chainId: number; rpcUrl: string; known: Network[]; onAdded(): void }

function Rest({ chainId, rpcUrl, known, onAdded }: RestProps) {
  const stores = useStores()
  const { settings } = stores
  const fresh = { ...newNetwork(chainId, t('Chain ID {chainId}', { chainId: String(chainId) })), rpcUrl }
  // Separate draft per chain, in case another window adds this one.
  const { settle, drop, texts, isFaulty, fieldsFor } = useNetworkEdits(fresh, `network-new-${chainId}`)
  const add = useMutation(async () => {
    const changes = settle()
    await addNetwork(settings, editNetwork(fresh, changes))
    drop(changes)
    onAdded()
  })
  const { node, fields } = fieldsFor(add)
  const namesake = known.find(({ name }) => name.toLowerCase() === texts.name.trim().toLowerCase())
  return (
    <form
      class="stack network-form"
      aria-label={t('New network')}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isFaulty) add.run()
      }}
    >
      <p class="found" role="status">
        {t('Network found: chain ID {chainId}', { chainId: String(chainId) })}
      </p>
      <NameFields {...fields} />
      {namesake && (
        <Warning>
          {t('You already have a network named {name} (chain ID {chainId}). This is a different network.', {
            name: namesake.name,
            chainId: namesake.chainId,
          })}
        </Warning>
      )}
      <ServiceFields network={fresh} {...fields} />
      <AdvancedFields network={fresh} {...fields} />
      <Warning>
        {t(
          'The RPC operator can see your addresses and all your activity on this network, and Sluice relies on its data. Only add RPCs you trust.',
        )}
      </Warning>
      <div class="form-foot form-foot-sticky">
        {add.error && !node && <ErrorMessage error={add.error} />}
        <button type="submit" class="main" disabled={isFaulty || add.isRunning}>
          {add.isRunning ? t('Checking…') : t('Add network')}
        </button>
      </div>
    </form>
  )
}

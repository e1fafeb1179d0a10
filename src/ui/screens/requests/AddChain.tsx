import { visible } from '../../format.ts'
import { Note } from '../../parts/Note.tsx'
import { Request, type ScreenProps } from '../../parts/Request.tsx'
import { Row } from '../../parts/Row.tsx'
import { use, useStores } from '../../use.ts'

/** A site brings a network. */
export function AddChain({ approval, ask: { network } }: ScreenProps<'add-chain'>) {
  const { approvals, settings } = useStores()
  const name = visible(network.name)
  const namesake = use(settings, (state) =>
    state.settings?.networks.find((one) => one.name.toLowerCase() === name.toLowerCase()),
  )
  return (
    <Request
      approval={approval}
      title="Add a network"
      accept={{
        label: 'Add network',
        async run() {
          await settings.allow([network.rpcUrl])
          await approvals.approve(approval.id, { kind: 'add-chain' })
        },
      }}
    >
      <dl class="rows panel wraps">
        <Row name="Name">{name}</Row>
        <Row name="Chain ID">
          {network.chainId} <span class="dim">0x{network.chainId.toString(16)}</span>
        </Row>
        <Row name="Coin">
          {visible(network.coin.symbol)} <span class="dim">{visible(network.coin.name)}</span>
        </Row>
        <Row name="RPC">
          <Host url={network.rpcUrl} />
        </Row>
        <Row name="Explorer">
          {network.explorerUrl ? <Host url={network.explorerUrl} /> : <span class="none">None</span>}
        </Row>
      </dl>
      {namesake && (
        <Note>
          You have a network called {visible(namesake.name)} already: chain {namesake.chainId}. This is
          another one.
        </Note>
      )}
      <Note>
        Whoever runs the RPC sees your addresses and all you do on this network, and what it says is believed.
        Add it only if you trust it.
      </Note>
      <p class="dim small aside">
        The site moves to it. To swap there yourself, name a swap service in the settings.
      </p>
    </Request>
  )
}

/** Paths of RPC URLs are long and often hold a key: whose machine it is counts. */
function Host({ url }: { url: string }) {
  const { host, protocol } = new URL(url)
  return <span title={url}>{protocol === 'https:' ? host : `${protocol}//${host}`}</span>
}

import { useMemo, useState } from 'preact/hooks'
import { knownOn } from '../../../domain/calldata/describeCall.ts'
import { keysToAcknowledge, type Risk, tokensAtRisk } from '../../../domain/dapp/risks/risk.ts'
import { signRisks } from '../../../domain/dapp/risks/signRisks.ts'
import { describeTypedData } from '../../../domain/signing/describeTypedData.ts'
import type { SignedNetwork, TypedDataDescription } from '../../../domain/signing/description.ts'
import { signedFields } from '../../../domain/signing/signedFields.ts'
import type { TypedData } from '../../../domain/signing/typedData.ts'
import { defineMessage, t, tx } from '../../../i18n/translate.ts'
import { createPreview } from '../../../state/approvals/callPreview.ts'
import { CopyableAddress } from '../../components/address/CopyableAddress.tsx'
import { Alert } from '../../components/alerts/Alert.tsx'
import { Warning } from '../../components/alerts/Warning.tsx'
import { Disclosure } from '../../components/Disclosure.tsx'
import { Checkbox } from '../../components/fields/Checkbox.tsx'
import { CopyButton } from '../../components/fields/CopyButton.tsx'
import { Row } from '../../components/Row.tsx'
import { useNames } from '../../hooks/data/useContacts.ts'
import { useNetwork } from '../../hooks/data/useNetwork.ts'
import { useQuery } from '../../hooks/data/useQuery.ts'
import { useStores } from '../../hooks/data/useStore.ts'
import { formatRisk } from '../../messages/risks.ts'
import { useTokenLookup } from '../../tokens/useTokens.ts'
import { Request, type ScreenProps } from '../Request.tsx'
import { AlikeAddresses } from '../send/AlikeAddresses.tsx'
import { SignedWords } from '../signed/SignedWords.tsx'
import { useCallWords } from '../signed/useCallWords.ts'
import { useRecipientRisks } from '../useRecipientRisks.ts'
import { FieldTree } from './FieldTree.tsx'
import { HighlightedText } from './HighlightedText.tsx'
import { signatureWarnings } from './signatureWarnings.ts'

/** Dapp request to sign typed data (EIP-712). Requires a tick unless known to be harmless. */
export function SignTypedDataRequest({ approval, ask }: ScreenProps<'sign-typed-data'>) {
  const { approvals, get } = useStores()
  const { account, typedData } = ask
  const { chainId, origin } = approval
  const [now] = useState(Date.now)
  // A tick holds for the warnings it was set for.
  const [ticked, setTicked] = useState<string>()
  const description = useMemo(
    () => describeTypedData(typedData, { account, chainId, now, origin }),
    [typedData, account, chainId, now, origin],
  )
  const network = useNetwork(chainId)
  const calls = useCallWords(description, chainId)
  const preview = get(createPreview)
  const asked = useQuery(() => preview.signRisks(approval.id), [preview, approval.id])
  const isAsking = asked.status === 'asking'
  const nameOf = useNames()
  const known = knownOn(network, { account, chainId })
  const ofRecipients = useRecipientRisks(approval.id)
  const risks = isAsking ? ofRecipients.risks : (asked.value ?? signRisks(description, known))
  const acknowledged = keysToAcknowledge(risks)
  const risk = acknowledged.join(', ')
  const tokenOf = useTokenLookup(chainId, risks.flatMap(tokensAtRisk))
  const { isSpenderKnown, isCalm, doubts, networkNote, notes, tick } = signatureWarnings(description, {
    risks: risks.filter(isDoubt).map((one) => formatRisk(one, tokenOf, nameOf)),
    router: network?.router,
    networkName: network?.name ?? t('Chain ID {chainId}', { chainId }),
    chainId,
    calls,
  })
  if (ofRecipients.isAwaited && namesRecipient(description)) return null
  return (
    <Request
      approval={approval}
      question={t(questions[description.kind])}
      accept={{
        label: isAsking ? t('Checking…') : t('Sign'),
        run: () => approvals.approve(approval.id, { kind: 'sign-typed-data', acknowledged }),
        danger: doubts.length > 0,
        disabled: isAsking || (tick !== undefined && ticked !== risk),
      }}
      note={
        tick !== undefined && (
          <Checkbox
            label={tick}
            isTicked={ticked === risk}
            isCalm={isCalm === true && !isAsking}
            onTick={(isTicked) => setTicked(isTicked ? risk : undefined)}
          />
        )
      }
      warnings={
        <>
          <Doubts doubts={doubts} risks={risks} />
          {networkNote !== undefined && <Warning>{networkNote}</Warning>}
          {notes.map((note) => (
            <Warning key={note}>{note}</Warning>
          ))}
        </>
      }
    >
      <SignedWords
        description={description}
        chainId={chainId}
        account={account}
        now={now}
        isSpenderKnown={isSpenderKnown}
        isNew={(address) => risks.some((one) => one.kind === 'new-recipient' && one.recipient === address)}
      />
      {'fields' in description ? (
        <>
          <section class="panel fields-panel">
            <h2 class="fields-name">
              <HighlightedText text={typedData.primaryType} />
            </h2>
            <FieldTree fields={description.fields} nameOf={nameOf} />
          </section>
          <DomainRows typedData={typedData} network={description.network} />
        </>
      ) : (
        <>
          <dl class="rows panel rows-wrap">
            <ContractRow typedData={typedData} />
          </dl>
          <Disclosure title={t('Full message')}>
            <FieldTree fields={signedFields(typedData)} nameOf={nameOf} />
            <DomainRows typedData={typedData} network={description.network} />
          </Disclosure>
        </>
      )}
    </Request>
  )
}

function Doubts({ doubts, risks }: { doubts: string[]; risks: Risk[] }) {
  if (doubts.length === 0) return null
  return (
    <Alert what={t('Proceed with caution')}>
      <ul class="doubts">
        {doubts.map((doubt) => (
          <li key={doubt}>{doubt}</li>
        ))}
      </ul>
      <AlikeAddresses risks={risks} />
    </Alert>
  )
}

/** True if the screen may note a first transfer beside an address. */
function namesRecipient({ kind }: TypedDataDescription): boolean {
  return kind === 'transfer' || kind === 'calls'
}

/** Typed data is named by the tick, a first transfer beside its recipient. */
function isDoubt({ kind }: Risk): boolean {
  return kind !== 'typed-data' && kind !== 'new-recipient'
}

const questions: Record<TypedDataDescription['kind'], string> = {
  permit: defineMessage('Sign this spending permit?'),
  transfer: defineMessage('Sign this transfer?'),
  cancellation: defineMessage('Cancel this signed transfer?'),
  authorization: defineMessage('Change who controls your positions?'),
  order: defineMessage('Sign this order?'),
  calls: defineMessage('Sign this relayed transaction?'),
  'safe-message': defineMessage('Sign this Safe message?'),
  digest: defineMessage('Sign this hash?'),
  'sign-in': defineMessage('Sign this data?'),
  other: defineMessage('Sign this data?'),
}

function DomainRows({ typedData, network }: { typedData: TypedData; network: SignedNetwork }) {
  const { salt } = typedData.domain
  return (
    <dl class="rows panel rows-wrap">
      <ContractRow typedData={typedData} />
      <Row name={t('Network')}>
        {network.kind === 'any' ? (
          <span class="bad">{t('Any network')}</span>
        ) : network.kind === 'salt' ? (
          t('Chain ID {chainId} (from salt)', { chainId: `${network.chainId}` })
        ) : (
          t('Chain ID {chainId}', { chainId: `${network.chainId}` })
        )}
      </Row>
      {salt && <Row name={t('Salt')}>{salt}</Row>}
      <Row name={t('JSON')}>
        <CopyButton text={toJson(typedData)} label={t('Copy full message')}>
          {t('Copy')}
        </CopyButton>
      </Row>
    </dl>
  )
}

function ContractRow({ typedData }: { typedData: TypedData }) {
  const { name, version, verifyingContract } = typedData.domain
  return (
    <>
      {(name ?? version) !== undefined && (
        <Row name={t('Signing domain')}>
          <DomainName name={name ?? '—'} version={version} />
        </Row>
      )}
      {verifyingContract && (
        <Row name={t('Contract')}>
          <CopyableAddress address={verifyingContract} of={t('the contract')} />
        </Row>
      )}
    </>
  )
}

function DomainName({ name, version }: { name: string; version: string | undefined }) {
  const marked = (text: string) => (
    <bdi>
      <HighlightedText text={text} />
    </bdi>
  )
  if (version === undefined) return marked(name)
  return <>{tx('{name}, version {version}', { name: marked(name), version: marked(version) })}</>
}

function toJson(typedData: TypedData): string {
  const { hasUnsignedDomain: _, ...signed } = typedData
  return JSON.stringify(signed, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
}

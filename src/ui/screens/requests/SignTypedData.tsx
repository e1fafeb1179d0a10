import { useMemo, useState } from 'preact/hooks'
import { type Description, describeTypedData, signedFields } from '../../../domain/signing/permit.ts'
import type { TypedData } from '../../../domain/signing/typedData.ts'
import { t, tx, wording } from '../../../language/translate.ts'
import { useStores } from '../../hooks/use.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { Fold } from '../../parts/Fold.tsx'
import { Note } from '../../parts/Note.tsx'
import { PublicAddress } from '../../parts/PublicAddress.tsx'
import { Row } from '../../parts/Row.tsx'
import { FieldTree } from '../../parts/requests/FieldTree.tsx'
import { Marked } from '../../parts/requests/Marked.tsx'
import { Request, type ScreenProps } from '../../parts/requests/Request.tsx'
import { SignedWords } from '../../parts/requests/SignedWords.tsx'
import { doubtsOf } from '../../parts/requests/signDoubts.ts'
import { Stop } from '../../parts/Stop.tsx'
import { Tick } from '../../parts/Tick.tsx'

/** A page asks for a signature that a contract will read: a permission, an order, or something of its own. */
export function SignTypedData({ approval, ask }: ScreenProps<'sign-typed-data'>) {
  const { approvals } = useStores()
  const { account, typedData } = ask
  const [now] = useState(Date.now)
  const [isTicked, setTicked] = useState(false)
  const description = useMemo(() => describeTypedData(typedData, { account, now }), [typedData, account, now])
  const router = useNetwork(approval.chainId)?.router
  const { isSpenderKnown, doubts, note } = doubtsOf(description, router)
  const isDoubtful = doubts.length > 0
  return (
    <Request
      approval={approval}
      title={t(titles[description.kind])}
      accept={{
        label: t('Sign'),
        run: () => approvals.approve(approval.id, { kind: 'sign-typed-data' }),
        danger: isDoubtful,
        disabled: isDoubtful && !isTicked,
      }}
      note={isDoubtful && <Tick label={t('Sign anyway')} isTicked={isTicked} onTick={setTicked} />}
    >
      <SignedWords
        description={description}
        chainId={approval.chainId}
        account={account}
        now={now}
        isSpenderKnown={isSpenderKnown}
      />
      {isDoubtful && (
        <Stop what={t('Look twice.')}>
          <ul class="doubts">
            {doubts.map((doubt) => (
              <li key={doubt}>{doubt}</li>
            ))}
          </ul>
        </Stop>
      )}
      {note && <Note>{note}</Note>}
      {description.kind === 'other' ? (
        <>
          <section class="panel fields-panel">
            <h2 class="fields-name">
              <Marked text={typedData.primaryType} />
            </h2>
            <FieldTree fields={description.fields} />
          </section>
          <DomainRows typedData={typedData} />
        </>
      ) : (
        <Fold title={t('All that is signed')}>
          <FieldTree fields={signedFields(typedData)} />
          <DomainRows typedData={typedData} />
        </Fold>
      )}
    </Request>
  )
}

const titles: Record<Description['kind'], string> = {
  permit: wording('Sign a permission to take tokens'),
  'dai-permit': wording('Sign a permission to take tokens'),
  permit2: wording('Sign a permission to take tokens'),
  order: wording('Sign an order to swap'),
  other: wording('Sign data'),
}

/** For whom the signature is: it is worth nothing to any other contract. */
function DomainRows({ typedData }: { typedData: TypedData }) {
  const { name, version, chainId, verifyingContract, salt } = typedData.domain
  return (
    <dl class="rows panel rows-wrap">
      {(name ?? version) !== undefined && (
        <Row name={t('For')}>
          <DomainName name={name ?? '—'} version={version} />
        </Row>
      )}
      {verifyingContract && (
        <Row name={t('Contract')}>
          <PublicAddress address={verifyingContract} of={t('the contract')} />
        </Row>
      )}
      <Row name={t('Network')}>
        {chainId === undefined ? (
          <span class="bad">{t('Any')}</span>
        ) : (
          t('Chain {chainId}', { chainId: `${chainId}` })
        )}
      </Row>
      {salt && <Row name={t('Salt')}>{salt}</Row>}
      <Row name={t('As JSON')}>
        <CopyButton text={jsonOf(typedData)} label={t('Copy all that is signed')}>
          {t('Copy')}
        </CopyButton>
      </Row>
    </dl>
  )
}

function DomainName({ name, version }: { name: string; version: string | undefined }) {
  const marked = (text: string) => (
    <bdi>
      <Marked text={text} />
    </bdi>
  )
  if (version === undefined) return marked(name)
  return <>{tx('{name}, version {version}', { name: marked(name), version: marked(version) })}</>
}

function jsonOf(typedData: TypedData): string {
  return JSON.stringify(typedData, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
}

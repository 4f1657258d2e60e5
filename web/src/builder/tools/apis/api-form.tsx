import type { GivenOpenApiTools } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { Select } from '../../../ui/fields/choice.tsx'
import { Field, Input, Textarea } from '../../../ui/fields/field.tsx'
import { RefreshCw } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx'
import { toOrigin } from '../to-origin.ts'

type Auth = NonNullable<GivenOpenApiTools['auth']>

/** Placeholder for a secret stored on the server. */
const KEPT = '***'
const LONGEST_DOCUMENT = 900_000

interface ApiFormProps {
  /** API to edit; null to add one. */
  api: GivenOpenApiTools | null
  /** Names of the other APIs and of MCP servers. */
  taken: string[]
  onDone: (api: GivenOpenApiTools) => void
  onClose: () => void
}

/** Form for the document of an HTTP API, its address and its secret. */
export function ApiForm({ api, taken, onDone, onClose }: ApiFormProps) {
  const [name, setName] = useState(api?.name ?? '')
  const [isPasted, setPasted] = useState(api !== null && !api.url)
  const [url, setUrl] = useState(api?.url ?? '')
  const [document, setDocument] = useState(api?.document ?? '')
  const [documentId, setDocumentId] = useState(api?.document_id || null)
  const [baseUrl, setBaseUrl] = useState(api?.base_url ?? '')
  const [type, setType] = useState<Auth['type'] | 'none'>(api?.auth?.type ?? 'none')
  const [parameter, setParameter] = useState(api?.auth?.name ?? '')
  const [username, setUsername] = useState(api?.auth?.username ?? '')
  const [secret, setSecret] = useState(api?.auth?.secret ?? '')
  const nameError = taken.includes(name) ? t`Another API or server of this agent has this name.` : null
  const isKept = secret === KEPT
  // A secret belongs to one name and one address: otherwise a change of the address would send it elsewhere.
  const isAnother = api !== null && (name !== api.name || toOrigin(baseUrl) !== toOrigin(api.base_url ?? ''))
  const lostSecret = isAnother && type !== 'none' && isKept
  const hasDocument = isPasted && documentId !== null && !document

  function done() {
    const where = isPasted ? { url: null, document: document || undefined } : { url: url.trim() }
    const isSame = isPasted ? !document : url.trim() === api?.url
    onDone({
      name,
      ...where,
      document_id: isSame ? documentId : null,
      base_url: baseUrl.trim() || null,
      auth:
        type === 'none'
          ? null
          : {
              type,
              secret,
              name: type === 'header' || type === 'query' ? parameter.trim() : null,
              username: type === 'basic' ? username : null,
            },
      operations: api?.operations ?? [],
    })
  }

  return (
    <FormDialog
      title={api ? t`Change ${api.name}` : t`Add an API`}
      width="wide"
      onClose={onClose}
      save={api ? t`Apply` : t`Add`}
      onSave={() => {
        if (!nameError && !lostSecret) done()
      }}
    >
      <Field label={t`Name`} hint={t`Prefix of its tools’ names, for instance crm__getCustomer.`} error={nameError}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            required
            pattern="(?!.*__)[a-z0-9_\-]{1,32}"
            title={t`up to 32 of a-z, 0-9, _ and -, and no two _ in a row`}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-sm"
            placeholder="crm"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label={t`OpenAPI document`} hint={t`Describes the operations of the API, as JSON or YAML.`}>
        {(control) => (
          <Select
            {...control}
            value={isPasted ? 'pasted' : 'url'}
            onChange={({ target }) => setPasted(target.value === 'pasted')}
          >
            <option value="url">{t`From an address`}</option>
            <option value="pasted">{t`Pasted, or from a file`}</option>
          </Select>
        )}
      </Field>
      {isPasted ? (
        <Field
          label={t`Text of the document`}
          hint={hasDocument ? t`Leave it empty to keep the present one.` : undefined}
        >
          {(control) => (
            <>
              <Textarea
                {...control}
                required={!hasDocument}
                maxLength={LONGEST_DOCUMENT}
                rows={6}
                spellCheck={false}
                className="font-mono text-sm"
                value={document}
                onChange={({ target }) => setDocument(target.value)}
              />
              <input
                type="file"
                aria-label={t`File with the document`}
                accept=".json,.yaml,.yml"
                className="mt-2 text-sm"
                onChange={async ({ target }) => setDocument((await target.files?.[0]?.text()) ?? '')}
              />
            </>
          )}
        </Field>
      ) : (
        <Field label={t`Address of the document`}>
          {(control) => (
            <Input
              {...control}
              required
              type="url"
              maxLength={2048}
              className="font-mono text-sm"
              placeholder="https://crm.example/openapi.json"
              value={url}
              onChange={({ target }) => setUrl(target.value)}
            />
          )}
        </Field>
      )}
      {!isPasted && documentId !== null && (
        <Button icon={RefreshCw} onClick={() => setDocumentId(null)}>
          <Trans>Read the document again</Trans>
        </Button>
      )}
      <Field
        label={t`Where requests go`}
        hint={t`Begins the address of every request. Left empty, it is the first server that the document names.`}
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            maxLength={2048}
            className="font-mono text-sm"
            placeholder="https://crm.example/v1"
            value={baseUrl}
            onChange={({ target }) => setBaseUrl(target.value)}
          />
        )}
      </Field>
      <Field label={t`Signs in with`}>
        {(control) => (
          <Select
            {...control}
            value={type}
            onChange={({ target }) => {
              setType(target.value as never)
              if (isKept) setSecret('')
            }}
          >
            <option value="none">{t`Nothing`}</option>
            <option value="header">{t`A key in a header`}</option>
            <option value="query">{t`A key in the address`}</option>
            <option value="bearer">{t`A bearer token`}</option>
            <option value="basic">{t`A user name and a password`}</option>
          </Select>
        )}
      </Field>
      {(type === 'header' || type === 'query') && (
        <Field label={type === 'header' ? t`Name of the header` : t`Name of the parameter`}>
          {(control) => (
            <Input
              {...control}
              required
              autoComplete="off"
              className="font-mono text-sm"
              placeholder={type === 'header' ? 'x-api-key' : 'api_key'}
              value={parameter}
              onChange={({ target }) => setParameter(target.value)}
            />
          )}
        </Field>
      )}
      {type === 'basic' && (
        <Field label={t`User name`}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              value={username}
              onChange={({ target }) => setUsername(target.value)}
            />
          )}
        </Field>
      )}
      {type !== 'none' && (
        <Field
          label={type === 'basic' ? t`Password` : type === 'bearer' ? t`Token` : t`Key`}
          hint={t`Stored encrypted, and never shown again.`}
        >
          {(control) => (
            <Input
              {...control}
              required={!isKept}
              type="password"
              autoComplete="off"
              placeholder={isKept ? t`Kept as it is` : undefined}
              value={isKept ? '' : secret}
              onChange={({ target }) => setSecret(target.value || (api?.auth?.type === type ? KEPT : ''))}
            />
          )}
        </Field>
      )}
      {lostSecret && (
        <Notice>
          <Trans>With another name or address, the secret has to be entered again.</Trans>
        </Notice>
      )}
    </FormDialog>
  )
}

import type { McpServer } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button, IconButton } from '../../../ui/controls/button.tsx'
import { Select } from '../../../ui/fields/choice.tsx'
import { Field, Input } from '../../../ui/fields/field.tsx'
import { Plus, Trash2 } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx'
import { toOrigin } from '../to-origin.ts'

/** Placeholder for a secret stored on the server. */
const KEPT = '***'

interface McpServerFormProps {
  /** Server to edit; null to add one. */
  server: McpServer | null
  /** Names of the other servers. */
  taken: string[]
  onDone: (server: McpServer) => void
  onClose: () => void
}

/** Form for the address and the headers of an MCP server. */
export function McpServerForm({ server, taken, onDone, onClose }: McpServerFormProps) {
  const [name, setName] = useState(server?.name ?? '')
  const [transport, setTransport] = useState(server?.transport ?? 'http')
  const [url, setUrl] = useState(server?.url ?? '')
  const [command, setCommand] = useState(server?.command ?? '')
  const [headers, setHeaders] = useState(() =>
    Object.entries(server?.headers ?? {}).map(([key, value], id) => ({ id, key, value, isKept: true })),
  )
  const isProgram = transport === 'stdio'
  const nameError = taken.includes(name) ? t`Another API or server of this agent has this name.` : null
  // Secrets belong to one name and one address: otherwise a change of the address would send them elsewhere.
  const isAnother = server !== null && (name !== server.name || toOrigin(url) !== toOrigin(server.url ?? ''))
  const lostSecret = isAnother && !isProgram && headers.some(({ value }) => value === KEPT)

  const changeHeader = (id: number, some: { key?: string; value?: string }) =>
    setHeaders((all) => all.map((header) => (header.id === id ? { ...header, ...some } : header)))

  function done() {
    const given = headers.filter(({ key }) => key.trim())
    onDone({
      name,
      transport,
      url: isProgram ? null : url.trim(),
      command: isProgram ? command.trim() : null,
      headers: isProgram ? {} : Object.fromEntries(given.map(({ key, value }) => [key.trim().toLowerCase(), value])),
      tools: server?.tools ?? null,
    })
  }

  return (
    <FormDialog
      title={server ? t`Change ${server.name}` : t`Add an MCP server`}
      width="wide"
      onClose={onClose}
      save={server ? t`Apply` : t`Add`}
      onSave={() => {
        if (!nameError && !lostSecret) done()
      }}
    >
      <Field label={t`Name`} hint={t`Prefix of its tools’ names, for instance tickets__search.`} error={nameError}>
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
            placeholder="tickets"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label={t`Reached by`}>
        {(control) => (
          <Select {...control} value={transport} onChange={({ target }) => setTransport(target.value as never)}>
            <option value="http">{t`Streamable HTTP`}</option>
            <option value="sse">{t`HTTP with SSE (older servers)`}</option>
            <option value="stdio">{t`A program on this server`}</option>
          </Select>
        )}
      </Field>
      {isProgram ? (
        <Field
          label={t`Program`}
          hint={t`A name in the setting DOCENT_MCP_COMMANDS: the operator of this server decides which programs there are.`}
        >
          {(control) => (
            <Input
              {...control}
              required
              className="font-mono text-sm"
              value={command}
              onChange={({ target }) => setCommand(target.value)}
            />
          )}
        </Field>
      ) : (
        <>
          <Field label={t`Address`}>
            {(control) => (
              <Input
                {...control}
                required
                type="url"
                maxLength={2048}
                className="font-mono text-sm"
                placeholder="https://tickets.example/mcp"
                value={url}
                onChange={({ target }) => setUrl(target.value)}
              />
            )}
          </Field>
          <fieldset>
            <legend className="mb-1.5 font-medium">
              <Trans>Headers</Trans>
            </legend>
            <div className="space-y-2">
              {headers.map(({ id, key, value, isKept }) => (
                <div key={id} className="flex gap-2">
                  <Input
                    aria-label={t`Name of the header`}
                    placeholder="authorization"
                    className="min-w-0 flex-1 font-mono text-sm"
                    autoComplete="off"
                    value={key}
                    onChange={({ target }) => changeHeader(id, { key: target.value })}
                  />
                  <Input
                    aria-label={t`Value of ${key || t`the header`}`}
                    type="password"
                    autoComplete="off"
                    placeholder={value === KEPT ? t`Kept as it is` : 'Bearer …'}
                    className="min-w-0 flex-1 font-mono text-sm"
                    value={value === KEPT ? '' : value}
                    onChange={({ target }) => changeHeader(id, { value: target.value || (isKept ? KEPT : '') })}
                  />
                  <IconButton
                    label={t`Remove ${key || t`the header`}`}
                    icon={Trash2}
                    onClick={() => setHeaders((all) => all.filter((header) => header.id !== id))}
                  />
                </div>
              ))}
              <Button
                icon={Plus}
                onClick={() =>
                  setHeaders((all) => [...all, { id: (all.at(-1)?.id ?? -1) + 1, key: '', value: '', isKept: false }])
                }
              >
                <Trans>Add a header</Trans>
              </Button>
            </div>
            <p className="mt-1.5 text-sm text-muted">
              <Trans>Secrets: stored encrypted, and never shown again.</Trans>
            </p>
          </fieldset>
        </>
      )}
      {lostSecret && (
        <Notice>
          <Trans>With another name or address, the values of its headers have to be entered again.</Trans>
        </Notice>
      )}
    </FormDialog>
  )
}

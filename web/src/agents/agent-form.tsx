import type { Agent } from '@docent/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../access/access.queries.ts'
import { FolderPicker } from '../drive/folder-picker.tsx'
import { explain } from '../platform/errors.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { saveAgent } from './agents.queries.ts'

interface AgentFormProps {
  /** Null for one that is to be made. */
  agent: Agent | null
  onSaved: (agent: Agent) => unknown
}

export function AgentForm({ agent, onSaved }: AgentFormProps) {
  const [fields, setFields] = useState({
    name: agent?.name ?? '',
    description: agent?.description ?? '',
    instructions: agent?.instructions ?? '',
    model: agent?.model ?? '',
    knowledge_base_ids: agent?.knowledge_base_ids ?? [],
  })
  const change = (some: Partial<typeof fields>) => setFields((all) => ({ ...all, ...some }))
  const mayManage = useMay('manage_agents')
  const saving = useMutation({
    mutationFn: () =>
      saveAgent(agent?.id ?? null, { ...fields, name: fields.name.trim(), model: fields.model.trim() || null }),
    onSuccess: onSaved,
  })

  return (
    <form
      className="min-h-0 flex-1 overflow-y-auto scroll-quiet"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <fieldset disabled={!mayManage} className="mx-auto max-w-2xl space-y-6 px-4 py-6 sm:px-6">
        {!mayManage && <Notice>Your key may look at agents, not change them.</Notice>}
        <Field label="Name">
          {(control) => (
            <Input
              {...control}
              required
              maxLength={256}
              value={fields.name}
              onChange={({ target }) => change({ name: target.value })}
            />
          )}
        </Field>
        <Field label="Description" hint="What it is for, in a sentence. People choose agents by it.">
          {(control) => (
            <Input
              {...control}
              maxLength={2000}
              value={fields.description}
              onChange={({ target }) => change({ description: target.value })}
            />
          )}
        </Field>
        <FolderPicker
          label="Folders"
          hint="It answers from the files in these folders and in all folders below them."
          chosen={fields.knowledge_base_ids}
          onChange={(knowledge_base_ids) => change({ knowledge_base_ids })}
        />
        <Field
          label="Instructions"
          hint="How it should answer: tone, language, what to leave out. It knows on its own to cite what it found."
        >
          {(control) => (
            <Textarea
              {...control}
              rows={5}
              maxLength={100_000}
              value={fields.instructions}
              onChange={({ target }) => change({ instructions: target.value })}
            />
          )}
        </Field>
        <Field
          label="Model"
          hint="Provider and model, for instance openai/gpt-5-mini. Empty: the server’s default. builtin/extractive needs no key and quotes the documents."
        >
          {(control) => (
            <Input
              {...control}
              className="font-mono"
              placeholder="The server’s default"
              pattern="[a-z\-]+/\S+"
              title="PROVIDER/MODEL, for instance openai/gpt-5-mini"
              autoComplete="off"
              spellCheck={false}
              value={fields.model}
              onChange={({ target }) => change({ model: target.value })}
            />
          )}
        </Field>
      </fieldset>
      {mayManage && (
        <div className="sticky bottom-0 border-t border-line bg-paper">
          <div className="mx-auto flex max-w-2xl flex-col items-end gap-3 px-4 py-3 sm:px-6">
            {saving.error && <Notice className="w-full">{explain(saving.error)}</Notice>}
            <Button variant="primary" type="submit" isBusy={saving.isPending}>
              {agent ? 'Save' : 'Create agent'}
            </Button>
          </div>
        </div>
      )}
    </form>
  )
}

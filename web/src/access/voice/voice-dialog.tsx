import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { canRecord, canSpeak, chooseVoice, findRecognizer, useVoiceChoice } from '../../platform/voice.ts'
import { CheckField } from '../../ui/fields/choice.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'

/** Turns dictation and reading aloud on or off, in this browser. */
export function VoiceDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState(useVoiceChoice())
  const canHear = findRecognizer() !== undefined || canRecord()
  return (
    <FormDialog
      title={t`Voice`}
      save={t`Save`}
      onSave={() => {
        chooseVoice(draft)
        onClose()
      }}
      onClose={onClose}
    >
      <CheckField
        label={t`Dictate questions`}
        hint={hintOfDictation()}
        disabled={!canHear}
        checked={draft.dictates}
        onChange={({ target }) => setDraft((before) => ({ ...before, dictates: target.checked }))}
      />
      <CheckField
        label={t`Read answers aloud`}
        hint={canSpeak() ? t`With the voices of this browser.` : t`This browser has no voices.`}
        disabled={!canSpeak()}
        checked={draft.reads}
        onChange={({ target }) => setDraft((before) => ({ ...before, reads: target.checked }))}
      />
      <p className="text-sm text-muted">
        <Trans>Both count for this browser.</Trans>
      </p>
    </FormDialog>
  )
}

/** Sentence that tells who gets to hear what is said. */
function hintOfDictation(): string {
  if (findRecognizer())
    return t`The browser transcribes what you say. Some browsers send it to their maker’s servers for that.`
  if (canRecord())
    return t`What you say goes to the model that your workspace chose for speech, if it has one. This browser has none of its own.`
  return t`This browser gives this page no microphone: open the page over HTTPS.`
}

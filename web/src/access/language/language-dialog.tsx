import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { LANGUAGE_TAGS, LANGUAGES, type Language } from '../../../languages/languages.ts'
import { chooseLanguage, chosenLanguage } from '../../platform/language.ts'
import { Select } from '../../ui/fields/choice.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { useAccount, useMe } from '../access.queries.ts'
import { wholeDocent } from '../session/whole-client.ts'

/** Chooses the language of the UI: of the account wherever it is signed in, without an account of this browser. */
export function LanguageDialog({ onClose }: { onClose: () => void }) {
  const { data: me } = useMe()
  const hasAccount = Boolean(me?.member)
  const { data: account } = useAccount(hasAccount)
  const [chosen, setChosen] = useState<Language | null>(account?.language ?? chosenLanguage())
  const saving = useMutation({
    mutationFn: async () => {
      if (hasAccount) await wholeDocent().account.update({ language: chosen })
      chooseLanguage(chosen)
    },
    onSuccess: onClose,
  })
  return (
    <FormDialog title={t`Language`} saving={saving} save={t`Save`} onSave={() => saving.mutate()} onClose={onClose}>
      <Field
        label={t`Language`}
        hint={hasAccount ? t`Wherever you are signed in with this account.` : t`In this browser.`}
      >
        {(control) => (
          <Select
            {...control}
            value={chosen ?? ''}
            onChange={({ target }) => setChosen((target.value || null) as Language | null)}
          >
            <option value="">{t`As in the browser`}</option>
            {LANGUAGE_TAGS.map((tag) => (
              <option key={tag} value={tag} lang={tag}>
                {LANGUAGES[tag]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FormDialog>
  )
}

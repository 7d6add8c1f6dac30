"use client";

import { Check, CircleCheck, ExternalLink } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { Form } from "@/components/common/form/form";
import { FormField } from "@/components/common/form/form-field";
import { OtpInput } from "@/components/common/form/otp-input";
import { SubmitButton } from "@/components/common/form/submit-button";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardDescription, CardFooter, CardTitle } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { Label } from "@/components/ui/label";
import { useOperation } from "@/lib/client/use-operation";
import type { Enrollment } from "@/lib/features/two-factor/schema";
import { RecoveryCodes } from "./recovery-codes";

const STEPS = ["scan", "validate", "recovery", "success"] as const;
type Step = (typeof STEPS)[number];

export type EnrollmentWizardProps = {
  /** The response of enroll-two-factor. */
  enrollment: Enrollment;
  /** Called when the user leaves before anything was turned on. */
  onCancel: () => void;
  /** Called at the end, when two-factor authentication is on. */
  onDone: () => void;
  /** The text of the last button. */
  doneLabel: string;
};

/** The enrollment of an authenticator app: scan the QR code, validate a code, save the recovery codes. */
export function EnrollmentWizard({ enrollment, onCancel, onDone, doneLabel }: EnrollmentWizardProps) {
  const [step, setStep] = useState<Step>("scan");
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>([]);
  return (
    <Card className="max-w-2xl">
      <StepList current={step} />
      {step === "scan" && <ScanStep enrollment={enrollment} onCancel={onCancel} onNext={() => setStep("validate")} />}
      {step === "validate" && (
        <ValidateStep
          onBack={() => setStep("scan")}
          onValid={(codes) => {
            setRecoveryCodes(codes);
            setStep("recovery");
          }}
        />
      )}
      {step === "recovery" && <RecoveryStep codes={recoveryCodes} onNext={() => setStep("success")} />}
      {step === "success" && <SuccessStep doneLabel={doneLabel} onDone={onDone} />}
    </Card>
  );
}

/** The list of steps, with the completed and the current one. */
function StepList({ current }: { current: Step }) {
  const t = useTranslations("twoFactor.wizard");
  const currentIndex = STEPS.indexOf(current);
  const shown = STEPS.filter((step) => step !== "success");
  return (
    <ol aria-label={t("steps")} className="flex gap-2 border-border border-b px-4 py-3 lg:gap-5 lg:px-5">
      {shown.map((step, index) => {
        const done = index < currentIndex;
        return (
          <li
            key={step}
            aria-current={step === current ? "step" : undefined}
            className={cn(
              "flex min-w-0 items-center gap-2 text-muted-foreground",
              step === current ? "font-medium text-foreground" : "max-sm:shrink-0",
            )}
          >
            <span
              aria-hidden
              className={cn(
                "flex size-5 shrink-0 items-center justify-center rounded-full border border-border text-xs",
                (done || step === current) && "border-primary bg-primary text-primary-foreground",
              )}
            >
              {done ? <Check strokeWidth={3} className="size-3" /> : index + 1}
            </span>
            <span className={cn("truncate", step !== current && "max-sm:sr-only")}>{t(`${step}.short`)}</span>
            {done && <span className="sr-only">({t("done")})</span>}
          </li>
        );
      })}
    </ol>
  );
}

type StepHeadingProps = {
  title: string;
  description: ReactNode;
  /** Whether the step focuses its field instead of its heading. */
  passive?: boolean;
};

/** A step's heading. It receives the focus when the step starts, so that assistive technology reads from there. */
function StepHeading({ title, description, passive = false }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!passive) heading.current?.focus();
  }, [passive]);
  return (
    <div className="flex flex-col gap-1">
      <CardTitle ref={heading} tabIndex={-1} className="outline-none">
        {title}
      </CardTitle>
      <CardDescription>{description}</CardDescription>
    </div>
  );
}

function ScanStep({
  enrollment,
  onCancel,
  onNext,
}: {
  enrollment: Enrollment;
  onCancel: () => void;
  onNext: () => void;
}) {
  const t = useTranslations("twoFactor.wizard");
  const { otpauthUrl, qrSvg, secret } = enrollment;
  return (
    <>
      <CardContent>
        <StepHeading title={t("scan.title")} description={t("scan.description")} />
        <div className="flex flex-col gap-5 sm:flex-row">
          <div className="size-52 shrink-0 self-center overflow-hidden rounded-lg border border-border bg-white sm:self-start">
            {/* biome-ignore lint/performance/noImgElement: an image that is part of the page cannot be optimized further */}
            <img
              src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
              alt={t("scan.qrCode")}
              width={208}
              height={208}
              className="size-full"
            />
          </div>
          <div className="flex min-w-0 flex-1 flex-col items-start gap-3">
            <div className="flex w-full min-w-0 flex-col gap-1.5">
              <span className="font-medium">{t("scan.secret")}</span>
              <p className="text-muted-foreground text-xs leading-4.5">{t("scan.secretHint")}</p>
              <div className="flex min-w-0 items-start gap-1 rounded-lg border border-border bg-muted py-0.5 pr-0.5 pl-2.5">
                <code className="min-w-0 flex-1 py-1 font-mono text-[0.8125rem] leading-5">{grouped(secret)}</code>
                <CopyButton value={secret} label={t("scan.secret")} iconOnly />
              </div>
            </div>
            <Button asChild variant="secondary" className="lg:hidden">
              <a href={otpauthUrl}>
                <ExternalLink aria-hidden />
                {t("scan.openApp")}
              </a>
            </Button>
          </div>
        </div>
      </CardContent>
      <CardFooter className="justify-end">
        <Button variant="secondary" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button onClick={onNext}>{t("scan.next")}</Button>
      </CardFooter>
    </>
  );
}

/** In groups of four letters, which are easier to type. */
function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

function ValidateStep({ onBack, onValid }: { onBack: () => void; onValid: (recoveryCodes: string[]) => void }) {
  const t = useTranslations("twoFactor.wizard");
  const words = useTranslations("twoFactor.proof");
  const validate = useOperation("auth/validate-two-factor-enrollment");
  const form = useZodForm(
    () => import("@/lib/features/two-factor/schema").then((file) => file.validateTwoFactorEnrollmentInput),
    { defaultValues: { code: "" } },
  );

  const send = async (input: { code: string }) => {
    const result = await validate.run(input);
    if (result.ok) {
      onValid(result.data.recoveryCodes);
      return result;
    }
    const { code, title, detail } = result.problem;
    if (code === "invalid_otp") form.setError("code", { type: "server", message: detail });
    else form.setError("root", { message: `${title}. ${detail}` });
    form.setFocus("code", { shouldSelect: true });
    return result;
  };

  return (
    <Form form={form} onSubmit={send} className="gap-0">
      <CardContent>
        <StepHeading title={t("validate.title")} description={t("validate.description")} passive />
        <FormField control={form.control} name="code" label={words("code")}>
          {(field) => <OtpInput {...field} sendWhenComplete autoFocus className="sm:max-w-72" />}
        </FormField>
      </CardContent>
      <CardFooter className="justify-end">
        <Button variant="secondary" onClick={onBack}>
          {t("back")}
        </Button>
        <SubmitButton>{t("validate.submit")}</SubmitButton>
      </CardFooter>
    </Form>
  );
}

function RecoveryStep({ codes, onNext }: { codes: readonly string[]; onNext: () => void }) {
  const t = useTranslations("twoFactor.wizard");
  const id = useId();
  const [saved, setSaved] = useState(false);
  return (
    <>
      <CardContent>
        <StepHeading title={t("recovery.title")} description={t("recovery.description")} />
        <RecoveryCodes codes={codes} />
        <div className="flex items-center gap-2.5">
          <Checkbox id={id} checked={saved} onCheckedChange={(checked) => setSaved(checked === true)} />
          <Label htmlFor={id}>{t("recovery.saved")}</Label>
        </div>
      </CardContent>
      <CardFooter className="justify-end">
        <Button onClick={onNext} disabled={!saved}>
          {t("recovery.next")}
        </Button>
      </CardFooter>
    </>
  );
}

function SuccessStep({ doneLabel, onDone }: { doneLabel: string; onDone: () => void }) {
  const t = useTranslations("twoFactor.wizard");
  return (
    <>
      <CardContent className="flex-row items-start gap-3">
        <CircleCheck aria-hidden className="mt-px size-5 shrink-0 text-success" />
        <StepHeading title={t("success.title")} description={t("success.description")} />
      </CardContent>
      <CardFooter className="justify-end">
        <Button onClick={onDone}>{doneLabel}</Button>
      </CardFooter>
    </>
  );
}

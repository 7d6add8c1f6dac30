"use client";

import { type Driver, type DriveStep, driver } from "driver.js";
import "driver.js/dist/driver.css";
import "./tour.css";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { useOperation } from "@/lib/client/use-operation";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { keepProgress, readProgress, TOUR_STEPS, type TourStep, tourDismissed, tourRuns } from "./tour-progress";

/** Less than the space between the links and the edge of the window. */
const STAGE_PADDING_PX = 4;

/** The pages about the subject of a step; a step points to the first one with a visible link in the navigation. */
const LINKS: Record<(typeof TOUR_STEPS)[number], readonly string[]> = {
  roles: [PAGES.adminRoles, PAGES.adminUsers],
  users: [PAGES.adminUsers],
  platforms: [PAGES.adminPlatforms, PAGES.adminSettings],
  apps: [PAGES.adminApps],
  permissions: [PAGES.adminPermissions, PAGES.adminUsers],
};

/** The link that a step points to; undefined if the navigation is hidden, as on phones. */
function targetOf(step: TourStep): Element | undefined {
  if (step === "end") return undefined;
  const links = LINKS[step].flatMap((path) => [...document.querySelectorAll(`aside nav a[href^="${path}"]`)]);
  return links.find((link) => link.checkVisibility());
}

/** Whether a dialog of the page is open, over which the tour must not appear. */
const isDialogOpen = () =>
  document.querySelector("[role=dialog]:not(.driver-popover), [role=alertdialog], [role=menu]") !== null;

/** Shows the tour from the step that was reached. While a dialog is open, it is hidden. */
export function GuidedTour() {
  const t = useTranslations("tour");
  const { run: dismiss } = useOperation("auth/dismiss-tour");

  useEffect(() => {
    const steps: TourStep[] = [...TOUR_STEPS, "end"];
    let tour: Driver | null = null;

    const hide = () => {
      const hidden = tour;
      tour = null;
      hidden?.destroy();
    };
    const close = () => {
      keepProgress(null);
      tourRuns.set(false);
      hide();
    };
    const finish = () => {
      close();
      tourDismissed.set(true);
      void dismiss({});
    };

    const toStep = (step: TourStep): DriveStep => ({
      element: targetOf(step),
      popover: {
        title: t(`steps.${step}.title`),
        description: t(`steps.${step}.description`),
        side: "right",
        align: "start",
      },
    });

    const show = () => {
      const progress = readProgress();
      if (tour || progress === null || isDialogOpen()) return;
      tour = driver({
        steps: steps.map(toStep),
        animate: !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
        allowKeyboardControl: true,
        overlayClickBehavior: () => {},
        stagePadding: STAGE_PADDING_PX,
        popoverClass: "tour-popover",
        showProgress: true,
        progressText: t("progress", { current: "{{current}}", total: "{{total}}" }),
        nextBtnText: t("next"),
        prevBtnText: t("previous"),
        doneBtnText: t("done"),
        onHighlighted: (_element, _step, { driver: shown }) => keepProgress(shown.getActiveIndex() ?? 0),
        onPopoverRender: ({ wrapper, title, closeButton, nextButton, footer }) => {
          // They are <header> and <footer>, which at the end of the body would be the landmarks of the page.
          title.setAttribute("role", "none");
          footer.setAttribute("role", "none");
          closeButton.setAttribute("aria-label", t("close"));
          wrapper.setAttribute("aria-modal", "false");
          const never = document.createElement("button");
          never.type = "button";
          never.className = "tour-never";
          never.textContent = t("never");
          never.addEventListener("click", finish);
          footer.after(never);
          // After the tour has focused its first control, which closes it.
          queueMicrotask(() => nextButton.focus());
        },
        onCloseClick: close,
        onDoneClick: finish,
        // Escape. `hide` destroys it without asking.
        onDestroyStarted: () => {
          if (tour) close();
        },
      });
      tour.drive(progress);
    };

    // The key that closes a dialog is released after that, and must not reach the tour, which Escape closes.
    let keyIsDown = false;
    const update = () => {
      if (isDialogOpen()) hide();
      else if (!keyIsDown) show();
    };
    const noteKeyDown = () => {
      keyIsDown = true;
    };
    const noteKeyUp = () => {
      keyIsDown = false;
      setTimeout(update);
    };
    // Dialogs are rendered at the end of the body.
    const observer = new MutationObserver(update);
    observer.observe(document.body, { childList: true });
    window.addEventListener("keydown", noteKeyDown, { capture: true });
    window.addEventListener("keyup", noteKeyUp, { capture: true });
    if (readProgress() !== null) tourRuns.set(true);
    // Once the navigation shows its links.
    const started = setTimeout(update);
    return () => {
      clearTimeout(started);
      tourRuns.set(false);
      observer.disconnect();
      window.removeEventListener("keydown", noteKeyDown, { capture: true });
      window.removeEventListener("keyup", noteKeyUp, { capture: true });
      hide();
    };
  }, [dismiss, t]);

  return null;
}

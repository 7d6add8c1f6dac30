import { EnvironmentSkeleton } from "@/components/environments/environment-skeleton";

export default function Loading() {
  return <EnvironmentSkeleton />;
}

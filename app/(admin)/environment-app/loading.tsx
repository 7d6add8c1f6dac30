import { EnvironmentsSkeleton } from "@/components/environments/environments-skeleton";

export default function Loading() {
  return <EnvironmentsSkeleton cards={4} columns={2} />;
}

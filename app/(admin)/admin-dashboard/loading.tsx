import { DashboardSkeleton } from "@/components/home/dashboard-skeleton";

export default function Loading() {
  return <DashboardSkeleton />;
}
